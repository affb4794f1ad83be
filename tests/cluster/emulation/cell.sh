#!/bin/sh
# First process of a cell: starts one process per host and switch, which holds its namespaces open,
# and ends when standard input ends. usage: cell.sh FOLDER HOST-SCRIPT NAME...
set -eu
folder=$1 host_script=$2
shift 2
mount --bind "$folder/hosts" /etc/hosts
ip link set lo up
for name in "$@"; do
  unshare --net --uts --ipc --mount sh "$host_script" "$folder" "$name" </dev/null &
done
# The shell adopts and reaps whatever loses its parent in the cell while it waits for cat.
exec 3<&0
cat <&3 >/dev/null &
wait $!
