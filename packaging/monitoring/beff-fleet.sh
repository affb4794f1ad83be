#!/bin/bash
# Keeps maps of whoever is idle, and the lists of bad, good and due hosts, which check_beff_hosts reads. From cron on a
# login node, each night, or each hour where there are many nodes, it submits itself for up to 16 idle nodes that are
# not known to be good: due, of no map, or open. In a job it measures the job's nodes. Where BEFF_TEXTFILES names the
# folder of node_exporter's --collector.textfile.directory, it writes what grafana.json shows into it.
# SINFO_PARTITION and SBATCH_PARTITION say where, SBATCH_QOS and SBATCH_ACCOUNT how; a QOS that others preempt suits it.
# Slurm starts nothing on a drained node. One that is bad and was mended is measured beside good ones in a reservation,
# which keeps users away and in which check_beff_hosts does not drain; it leaves the list if it is found good:
#   scontrol create reservation reservationname=mended nodes=n[1-3,5] users=beff flags=maint starttime=now duration=30
#   scontrol update nodename=n5 state=resume # once `scontrol show node n5` says MAINTENANCE, after some seconds
#   sbatch --reservation=mended --nodes=4 --exclusive --ntasks-per-node=1 /shared/beff/beff-fleet.sh
set -u
shared=${BEFF_SHARED:-/shared/beff} # the maps and the lists
good=$shared/good_hosts due=$shared/due_hosts
lists=(--bad "$shared/bad_hosts" --good "$good" --due "$due" --overwrite)
judged=(--fleet "$shared/maps" --days "${BEFF_DAYS:-30}" "${lists[@]}")
mkdir -p "$shared/maps"
if [ -n "${SLURM_JOB_ID:-}" ]; then
  # one process for each node, as only maps that are measured alike are compared
  # shellcheck disable=SC2086 # several options
  exec beff nodes --processes "$SLURM_JOB_NUM_NODES" "${judged[@]}" ${BEFF_NODES_OPTIONS:-}
fi
# days have passed since the last map; before the first night there is none
beff nodes --show "${judged[@]}" ${BEFF_TEXTFILES:+--output "$BEFF_TEXTFILES/beff_fleet.prom"} >/dev/null
: >>"$good" && : >>"$due"
idle=$(sinfo --Node --noheader --format='%N %t' | awk '$2 == "idle" { print $1 }' | sort -u)
mapfile -t nodes < <({
  grep -xF -e "$idle" "$due"                # the longest ago first
  grep -vxF -f "$good" -f "$due" <<<"$idle" # of no map, open, or bad and resumed
} | grep . | head -n 16)
[ ${#nodes[@]} -gt 0 ] || exit 0
# good ones make them four, of which one map tells who is slow; two that meet again tell nothing new, so draw them
fewer=$((${#nodes[@]} < 4 ? 4 - ${#nodes[@]} : 0))
mapfile -t -O ${#nodes[@]} nodes < <(grep -xF -e "$idle" "$good" | shuf -n $fewer)
[ ${#nodes[@]} -gt 1 ] || exit 0
# the deadline: where somebody was quicker, the job does not wait into the day
sbatch --job-name=beff-fleet --nodes=${#nodes[@]} --nodelist="$(IFS=, && echo "${nodes[*]}")" --exclusive \
  --ntasks-per-node=1 --time=10 --deadline=now+30minutes --nice=10000 --no-requeue \
  --output="$shared/beff-fleet.log" "$0"
