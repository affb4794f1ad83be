#!/bin/bash
# Measures shortly, judges, and leaves what node_exporter reads. For scrontab: the lines from #SCRON; for a systemd
# timer on a login node: `sbatch --wait beff-weekly.sh`. Its hosts go into the fleet; beff-fleet.sh says who is bad.
#SCRON --nodes=4 --ntasks-per-node=32 --exclusive --time=00:15:00
# 0 3 * * 0 /shared/beff/beff-weekly.sh
#SBATCH --nodes=4 --ntasks-per-node=32 --exclusive --time=00:15:00
set -u
shared=${BEFF_SHARED:-/shared/beff}                           # the history, the fleet, and beff-fleet.sh
textfiles=${BEFF_TEXTFILES:-/var/lib/prometheus/node-exporter} # node_exporter's --collector.textfile.directory
today=$shared/weekly/$(date +%F)
# shellcheck disable=SC2086 # several options
beff run --quick --output-dir "$today" --benchmark b_eff --benchmark b_pairs ${BEFF_RUN_OPTIONS:-}
"$shared/beff-fleet.sh"
beff check "$today" --baseline "$shared/weekly" --openmetrics "$textfiles/beff.prom" --overwrite
