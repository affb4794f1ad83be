#pragma once

namespace beff {

/// The program itself: each has its own.
int run_benchmark(int argc, char** argv);

}  // namespace beff
