#include "engines/common/mpi/agree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "core/record/columns.hpp"
#include "core/record/json.hpp"
#include "engines/common/watch/end.hpp"

namespace beff {
namespace {

/// The most byte of UTF-8 text, up to `most`, that end between characters.
std::size_t whole_characters(const std::string& text, std::size_t most) {
  constexpr unsigned char kMark = 0xc0;
  constexpr unsigned char kContinues = 0x80;
  auto length = std::min(text.size(), most);
  while (length > 0 && length < text.size() &&
         (static_cast<unsigned char>(text[length]) & kMark) == kContinues) {
    --length;
  }
  return length;
}

enum Verdict : int { kFine, kWrongUsage, kFailedRun };

}  // namespace

void check_on_rank_0(const std::function<void()>& check) {
  const int rank = world_rank();
  int verdict = kFine;
  std::string problem;
  if (rank == 0) {
    try {
      check();
    } catch (const UsageError& error) {
      verdict = kWrongUsage;
      problem = error.what();
    } catch (const std::bad_alloc&) {
      verdict = kFailedRun;
      problem = "memory ran out on " + who(rank);
    } catch (const std::exception& error) {
      verdict = kFailedRun;
      problem = error.what();
    }
  }
  verdict = from_rank_0(verdict);
  if (verdict == kFine) {
    return;
  }
  problem = from_rank_0(std::move(problem));
  if (verdict == kWrongUsage) {
    throw UsageError(problem);
  }
  throw RunError(problem);
}

void check_same(const Json& fields) {
  constexpr std::size_t kLongest = 80;
  constexpr int kMostFields = 3;
  const auto fields_text = json_text(fields);
  Digest digest;
  digest.add(fields_text);
  // of one length whatever the options: simulated times go on to the last bit from here
  const int others = allreduce(digest.hex() == from_rank_0(digest.hex()) ? 0 : 1, MPI_SUM);
  if (others == 0) {
    return;
  }
  const auto first = from_rank_0(fields_text);
  std::optional<std::string> mine;
  if (fields_text != first) {
    mine = who(world_rank()) + " differs from rank 0";
    const auto wanted = Json::parse(first);
    int named = 0;
    const auto fields_here = Json::parse(fields_text);
    for (const auto& [name, value] : fields_here.items()) {
      if (const auto other = wanted.value(name, Json()); other != value && named++ < kMostFields) {
        *mine +=
            fmt::format("{} {} {} instead of {}", named == 1 ? ":" : ",", name,
                        json_text(value).substr(0, kLongest), json_text(other).substr(0, kLongest));
      }
    }
  }
  const auto text = first_text(MPI_COMM_WORLD, mine);
  throw UsageError(
      fmt::format("{}{}; start the same program with the same options everywhere", text,
                  others > 1 ? fmt::format(", and {} more ranks differ", others - 1) : ""));
}

std::string from_rank_0(std::string text) {
  text.resize(from_rank_0(text.size()));
  MPI_Bcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

std::vector<std::string> gather(const std::string& text) {
  const auto length = static_cast<int>(text.size());
  const auto lengths = gather(length);
  std::vector<int> offsets;
  int total = 0;
  for (const int size : lengths) {
    offsets.push_back(std::exchange(total, total + size));
  }
  std::string all(static_cast<std::size_t>(total), ' ');
  MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), offsets.data(), MPI_CHAR,
              0, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) {
    texts.push_back(all.substr(static_cast<std::size_t>(offsets[rank]),
                               static_cast<std::size_t>(lengths[rank])));
  }
  return texts;
}

std::string first_text(MPI_Comm comm, const std::optional<std::string>& mine) {
  const int rank = rank_in(comm);
  constexpr int kNobody = std::numeric_limits<int>::max();
  const int witness = allreduce(mine ? rank : kNobody, MPI_MIN, comm);
  if (witness == kNobody) {
    return {};
  }
  constexpr std::size_t kLongest = 512;
  std::array<char, kLongest> text{};
  if (mine && rank == witness) {
    mine->copy(text.data(), whole_characters(*mine, kLongest - 1));
  }
  MPI_Bcast(text.data(), static_cast<int>(kLongest), MPI_CHAR, witness, comm);
  return text.data();
}

DataCheck of_all_processes(DataCheck check) {
  const auto counts = allreduce(std::array{check.messages_checked, check.wrong_messages}, MPI_SUM);
  check.messages_checked = counts[0];
  check.wrong_messages = counts[1];
  if (check.wrong_messages > 0) {
    const auto mine =
        check.first_error
            ? std::optional(fmt::format("rank {}, {}", world_rank(), *check.first_error))
            : std::nullopt;
    check.first_error = first_text(MPI_COMM_WORLD, mine);
  }
  return check;
}

}  // namespace beff
