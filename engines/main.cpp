#include "engines/common/run/program.hpp"

int main(int argc, char** argv) { return beff::run_benchmark(argc, argv); }
