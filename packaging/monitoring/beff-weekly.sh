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
rm -f "$today"/{good,bad}_hosts
beff check "$today" --baseline "$shared/weekly" --good "$today/good_hosts" --bad "$today/bad_hosts" \
  --openmetrics "$textfiles/beff.prom" --overwrite
verdict=$?
# a node leaves the list only when it was measured and found good; where no host was judged, there are no lists
if [ -e "$today/bad_hosts" ] && [ -e "$today/good_hosts" ]; then
  merged=$(mktemp "$shared/.bad_hosts.XXXXXX") && touch "$shared/bad_hosts" &&
    grep -vxF -f "$today/good_hosts" "$shared/bad_hosts" | sort -u - "$today/bad_hosts" >"$merged" &&
    chmod 644 "$merged" && mv "$merged" "$shared/bad_hosts"
fi
exit $verdict
