#include "core/b_eff/graphs/cartesian_graph.hpp"

#include <functional>
#include <numeric>

#include "core/b_eff/cartesian.hpp"

namespace beff::b_eff {

CartesianGraph::CartesianGraph(int processes, int dimensions, bool cyclic,
                               const std::vector<int>& directions)
    : dimensions_(dimensions),
      shape_{.extents = pattern_grid(processes, dimensions), .cyclic = cyclic} {
  for (const int direction : directions) {
    const auto index = static_cast<std::size_t>(direction);
    if (shape_.extents.at(index) > 1) {
      directions_.push_back(index);
    }
  }
}

int CartesianGraph::processes() const {
  return std::reduce(shape_.extents.begin(), shape_.extents.end(), 1, std::multiplies<>{});
}

// Positions are numbered as MPI_Cart_create does: row-major, the last dimension fastest.
Exchange CartesianGraph::exchange(int position) const {
  Exchange exchange;
  if (position >= processes()) {
    return exchange;
  }
  for (const std::size_t direction : directions_) {
    int stride = 1;
    for (std::size_t d = direction + 1; d < shape_.extents.size(); ++d) {
      stride *= shape_.extents.at(d);
    }
    const int extent = shape_.extents.at(direction);
    const int coordinate = position / stride % extent;
    const auto neighbour = [&](int shift) {
      const int target = coordinate + shift;
      if (!shape_.cyclic && (target < 0 || target >= extent)) {
        return kNoPeer;
      }
      return position + ((target + extent) % extent - coordinate) * stride;
    };
    exchange.add_way_and_back(neighbour(-1), neighbour(+1));
  }
  return exchange;
}

std::int64_t CartesianGraph::messages() const {
  std::int64_t total = 0;
  for (const std::size_t direction : directions_) {
    const std::int64_t extent = shape_.extents.at(direction);
    const std::int64_t lines = processes() / extent;
    if (shape_.cyclic) {
      total += lines * (extent == 2 ? 2 : 2 * extent);
    } else {
      total += lines * 2 * (extent - 1);
    }
  }
  return total;
}

// Where the grid ends, one process of a line has nobody to send to in each step.
double CartesianGraph::concurrent_senders() const {
  const auto steps = 2 * static_cast<double>(directions_.size());
  return shape_.cyclic ? processes() : static_cast<double>(messages()) / steps;
}

}  // namespace beff::b_eff
