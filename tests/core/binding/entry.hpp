#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/record/environment.hpp"
#include "core/record/json.hpp"

/// Empty is null.
template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(auto& json, const std::optional<T>& value) { json = beff::or_null(value); }
  static void from_json(const auto& json, std::optional<T>& value) {
    value = json.is_null() ? std::nullopt : std::optional(json.template get<T>());
  }
};

namespace beff::testing {

/// Takes a list of arguments.
using Computation = std::function<Json(const Json& arguments)>;
using Computations = std::map<std::string, Computation, std::less<>>;

/// Calls `function` with the arguments of a list.
template <class Result, class... Given>
Computation computed_by(std::function<Result(Given...)> function) {
  return [function](const Json& arguments) {
    return Json(std::apply(function, arguments.get<std::tuple<std::remove_cvref_t<Given>...>>()));
  };
}
Computation over(auto function) { return computed_by(std::function(std::move(function))); }

/// What the script of the test that computes something answers to a question.
[[nodiscard]] Json ask(const Json& question);

/// Hosts `prefix`0, `prefix`1 … with so many processes each.
[[nodiscard]] std::vector<Host> numbered_hosts(std::size_t count, int processes = 1,
                                               const std::string& prefix = "n");

/// Where a program measures by a script: hosts h0, h1 … with as many processes each.
[[nodiscard]] Environment scripted_environment(const std::string& program, int processes, int hosts,
                                               Bytes memory_per_process, Seconds wall);

/// By name.
[[nodiscard]] Computations computations_of_system();
[[nodiscard]] Computations computations_of_b_eff();
[[nodiscard]] Computations computations_of_b_eff_io();
[[nodiscard]] Computations computations_of_pairs();

}  // namespace beff::testing
