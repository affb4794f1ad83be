#!/bin/sh
# Holds the namespaces of one host or switch open. usage: host.sh FOLDER NAME
set -eu
folder=$1 name=$2
hostname "$name"
mount -t tmpfs -o size=2g none /dev/shm
# Machines have boot ids of their own; hosts without are containers on one kernel.
[ ! -e "$folder/boot_ids/$name" ] || mount --bind "$folder/boot_ids/$name" /proc/sys/kernel/random/boot_id
# What the kernel counts is of all hosts: where it is not seen, no host takes another for its load.
mount --bind "$folder/empty" /proc/stat
ip link set lo up
# Give up a dead connection after seconds instead of a quarter of an hour.
echo 5 >/proc/sys/net/ipv4/tcp_retries2
echo $$ >"$folder/pids/.$name"
mv "$folder/pids/.$name" "$folder/pids/$name"
exec sleep infinity
