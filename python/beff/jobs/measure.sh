
results=@{results}
mkdir -p "$results" || exit 1
worst=0

# The job's exit code is that of the first that failed, or 3: measured, but partial or not valid.
measure() {
  "${launch[@]}" "$@"
  local code=$?
  if [ "$worst" -eq 0 ] || { [ "$worst" -eq 3 ] && [ "$code" -ne 0 ]; }; then worst=$code; fi
}

measure @{b_eff} --nodes @{nodes} @{memory} --time-limit @{b_eff_limit_s}s --output "$results/b_eff_@{processes}p_$job"
measure @{b_eff_io} --path @{path} --time @{io_time_s}s @{memory} --time-limit @{io_limit_s}s --output "$results/b_eff_io_@{processes}p_$job"
exit "$worst"
