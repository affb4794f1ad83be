// What a compiler and its library must know of C++20: Clang 15 and older fail at the views of GCC's library.
#include <compare>
#include <ranges>
#include <span>
#include <vector>

int main() {
  const std::vector<int> numbers(3);
  int sum = 0;
  for (const int number : std::ranges::subrange(numbers.begin(), numbers.end()) | std::views::drop(1)) {
    sum += number;
  }
  return sum + static_cast<int>(std::span<int>().size());
}
