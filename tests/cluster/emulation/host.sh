#!/bin/sh
# Holds the namespaces of one host or switch open. usage: host.sh FOLDER NAME
set -eu
folder=$1 name=$2
hostname "$name"
mount -t tmpfs -o size=2g none /dev/shm
ip link set lo up
# Give up a dead connection after seconds instead of a quarter of an hour.
echo 5 >/proc/sys/net/ipv4/tcp_retries2
echo $$ >"$folder/pids/.$name"
mv "$folder/pids/.$name" "$folder/pids/$name"
exec sleep infinity
