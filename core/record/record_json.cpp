// The parts of a result file that both benchmarks have.
#include "core/record/json.hpp"
#include "core/record/program.hpp"

namespace beff {

Json to_json(const Program& program) {
  return {{"name", program.name}, {"version", program.version}, {"git_commit", program.git_commit}};
}

}  // namespace beff
