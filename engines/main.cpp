#include "engines/common/run/run_benchmark.hpp"

int main(int argc, char** argv) { return beff::run_benchmark(argc, argv); }
