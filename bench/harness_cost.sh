#!/usr/bin/env bash
# Nanoseconds that the harness adds to each iteration of a hand-written loop of the same MPI calls:
# first with real messages (ratio), then with MPI calls that do nothing (the bare difference).
# Usage: bench/harness_cost.sh [pairs of loops]
set -eu
cd "$(dirname "$0")/.."
bin=$PWD/.venv/bin
export PATH=$bin:$PATH
cmake -G Ninja -B build/bench -DBEFF_BENCH=ON >/dev/null
cmake --build build/bench --target harness_cost >/dev/null
mpicc -w -O2 -shared -fPIC bench/null_mpi.c -o build/bench/null_mpi.so
echo "Real messages, 1 byte, two processes on shared memory:"
mpiexec -n 2 build/bench/bench/harness_cost "$@"
echo "MPI calls that do nothing:"
mpiexec -n 2 -genv LD_PRELOAD "$PWD/build/bench/null_mpi.so" build/bench/bench/harness_cost "$@"
