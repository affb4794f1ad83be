#!/bin/bash
# Measures shortly, judges, and leaves what check_beff_hosts and node_exporter read. For scrontab: the lines from #SCRON;
# for a systemd timer on a login node: `sbatch --wait beff-weekly.sh`.
#SCRON --nodes=4 --ntasks-per-node=32 --exclusive --time=00:15:00
# 0 3 * * 0 /shared/beff/beff-weekly.sh
#SBATCH --nodes=4 --ntasks-per-node=32 --exclusive --time=00:15:00
set -u
shared=${BEFF_SHARED:-/shared/beff}                           # the history, and the list of bad hosts
textfiles=${BEFF_TEXTFILES:-/var/lib/prometheus/node-exporter} # node_exporter's --collector.textfile.directory
today=$shared/weekly/$(date +%F)
beff run --quick --output-dir "$today" ${BEFF_RUN_OPTIONS:-}
beff check "$today" --baseline "$shared/weekly" --bad "$shared/bad_hosts" --openmetrics "$textfiles/beff.prom" --overwrite
