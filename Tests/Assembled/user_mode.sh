#!/bin/bash
# The first program of a user mode Linux: runs one test on it. It sees the files of the machine and changes none of them.
export PATH=$KEYWAY_PATH HOME=/root PYTHONDONTWRITEBYTECODE=1
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mkdir -p /dev/pts /dev/shm
mount -t devpts -o ptmxmode=666 devpts /dev/pts
for place in /dev/shm /run /tmp /home /var/tmp; do mount -t tmpfs -o mode=1777 tmpfs "$place"; done
mount -t cgroup2 cgroup2 /sys/fs/cgroup
ip link set lo up
# What was installed for the test, and the tree where it lies in one of those.
for place in "${KEYWAY_PREFIX%/usr/local}" "$KEYWAY_TREE"; do
    [[ -e $place ]] && continue
    mkdir -p "$place"
    mount -t hostfs -o "ro,$place" hostfs "$place"
done
cd "$KEYWAY_TREE" || exit 1
if .venv/bin/python -m pytest -q --tb=short --color=no -o cache_dir=/tmp/cache "$KEYWAY_TEST" --prefix "$KEYWAY_PREFIX"; then
    echo keyway-test: passed
fi
echo o >/proc/sysrq-trigger
sleep 60
