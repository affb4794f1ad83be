// The parts of a result file that both benchmarks have.
#include "core/record/json.hpp"
#include "core/record/program.hpp"
#include "core/record/validity.hpp"

namespace beff {

Json to_json(const Program& program) {
  return {{"name", program.name}, {"version", program.version}, {"git_commit", program.git_commit}};
}

Json to_json(const std::vector<Criterion>& criteria) {
  Json list = Json::array();
  for (const auto& criterion : criteria) {
    list.push_back({{"name", criterion.name},
                    {"required", criterion.required},
                    {"found", criterion.found},
                    {"met", criterion.met}});
  }
  return list;
}

}  // namespace beff
