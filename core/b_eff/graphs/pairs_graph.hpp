#pragma once

#include "core/b_eff/graph.hpp"

namespace beff::b_eff {

/// Disjoint pairs on the world; one side of each pair sends while the other receives, then the way
/// back. A derived class says who pairs with whom.
class PairsGraph : public Graph {
 public:
  /// `processes` is even; positions from there on do not take part.
  explicit PairsGraph(int processes) : processes_(processes) {}

  [[nodiscard]] Topology topology() const final { return Topology::kWorld; }
  [[nodiscard]] Exchange exchange(int position) const final;
  [[nodiscard]] int processes() const final { return processes_; }
  [[nodiscard]] std::int64_t messages() const final { return processes_; }
  [[nodiscard]] double concurrent_senders() const final { return processes_ / 2; }

 protected:
  struct Pairing {
    int partner;
    bool sends_first;
  };
  [[nodiscard]] virtual Pairing pairing(int position) const = 0;

 private:
  int processes_;
};

/// Processes 2k and 2k+1 pair up (pattern 37).
class BestBisectionGraph final : public PairsGraph {
 public:
  explicit BestBisectionGraph(int processes) : PairsGraph(processes / 2 * 2) {}

 private:
  [[nodiscard]] Pairing pairing(int position) const override {
    return {.partner = position ^ 1, .sends_first = position % 2 == 0};
  }
};

/// Process i pairs with n'-1-i, n' being n rounded down to even (pattern 38).
class WorstBisectionGraph final : public PairsGraph {
 public:
  explicit WorstBisectionGraph(int processes) : PairsGraph(processes / 2 * 2) {}

 private:
  [[nodiscard]] Pairing pairing(int position) const override {
    return {.partner = processes() - 1 - position, .sends_first = position < processes() / 2};
  }
};

/// Only the first two processes, one way at a time (pattern 39).
class PingPongGraph final : public PairsGraph {
 public:
  PingPongGraph() : PairsGraph(2) {}

 private:
  [[nodiscard]] Pairing pairing(int position) const override {
    return {.partner = 1 - position, .sends_first = position == 0};
  }
};

}  // namespace beff::b_eff
