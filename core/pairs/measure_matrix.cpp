#include "core/pairs/measure_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/b_eff/loops.hpp"

namespace beff::pairs {
namespace {

class MatrixMeasuring {
 public:
  explicit MatrixMeasuring(const NetworkTask& task)
      : task_(task), place_{.pass = task.first_pass, .round = 0} {}

  Stop run() {
    auto length = first_length();
    for (int number = 0; number < kMatrixLoops && goes_on(); ++number) {
      auto loop = send(length);
      length = length_after(loop);
      record(std::move(loop));
    }
    std::vector<std::vector<MatrixLook>> looks;
    for (int look = 0; look < kMatrixLooks && goes_on(); ++look) {
      looks.push_back(look_at());
    }
    auto ending = task_.machine->end_matrix();
    record_->check = ending.check;
    if (task_.records && looks.size() == kMatrixLooks) {
      auto ranks = ranks_of(best_times_, looks);
      for (auto& one : ranks) {
        const auto& [sent, received] = ending.moved.at(static_cast<std::size_t>(one.rank));
        one.sent = sent;
        one.received = received;
      }
      record_->ranks = kept(std::move(ranks));
    }
    if (task_.records) {
      task_.hooks->sent_all(*record_);
    }
    return stop_;
  }

 private:
  [[nodiscard]] bool goes_on() const { return stop_ == Stop::kNo; }

  void note(Stop stop, Seconds elapsed) {
    ++place_.round;
    stop_ = std::max(stop_, stop);
    *task_.took = elapsed;
  }

  void show_progress() {
    if (task_.records) {
      task_.hooks->progress(*task_.took);
    }
  }

  MatrixLoop send(std::int64_t length) {
    show_progress();
    auto loop = task_.machine->send_matrix(place_, length);
    note(loop.stop, loop.elapsed);
    return loop;
  }

  std::vector<MatrixLook> look_at() {
    show_progress();
    auto looks = task_.machine->look_at_matrix(place_);
    note(looks.stop, looks.elapsed);
    return std::move(looks.of_ranks);
  }

  /// As b_eff takes the length of its first loop from a quick latency measurement; of an iteration
  /// that alone fills a loop, a single one is enough.
  std::int64_t first_length() {
    const auto first = length_after(send(1));
    return first < b_eff::kLatencyIterations || !goes_on()
               ? first
               : length_after(send(b_eff::kLatencyIterations));
  }

  static std::int64_t length_after(const MatrixLoop& loop) {
    constexpr Bytes kAnySize = 1;
    return b_eff::next_loop_length(
        {}, std::nullopt,
        {.size = kAnySize, .seconds = loop.slowest / static_cast<double>(loop.length)}, kAnySize);
  }

  void record(MatrixLoop loop) {
    if (!task_.records) {
      return;
    }
    constexpr double kNsPerSecond = 1e9;
    const auto length = static_cast<double>(loop.length);
    const auto slowest = std::ranges::max_element(loop.times);
    const Seconds iteration = *slowest / length;
    if (best_times_.empty() || iteration < best_) {
      best_ = iteration;
      best_times_ = loop.times;
      for (auto& time : best_times_) {
        time /= length;
      }
    }
    task_.hooks->sent(record_->loops.emplace_back(
        MatrixLoopResult{.length = loop.length,
                         .ns = std::max<std::int64_t>(1, std::llround(*slowest * kNsPerSecond)),
                         .slowest_rank = static_cast<int>(slowest - loop.times.begin())}));
  }

  NetworkTask task_;
  MatrixRecord* record_ = &task_.record->matrix;
  Place place_;
  Stop stop_ = Stop::kNo;
  Seconds best_ = 0;
  std::vector<Seconds> best_times_;  ///< of the ranks, for an iteration
};

}  // namespace

Stop measure_matrix(const NetworkTask& task) { return MatrixMeasuring(task).run(); }

}  // namespace beff::pairs
