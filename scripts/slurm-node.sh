#!/usr/bin/env bash
# Starts a SLURM of one node on this machine, from Debian's packages slurmctld, slurmd, slurm-client and munge, runs a
# command in it, and takes all of it down again. For tests: nothing of the system's own configuration is used or changed,
# and no systemd, cgroups or accounting is needed. As root.
#
#   scripts/slurm-node.sh COMMAND…        such as: scripts/slurm-node.sh sinfo
#
# The command finds SLURM_CONF in its environment. Without the packages the status is 77, and a line says what to install.
set -euo pipefail
say() { printf 'slurm: %s\n' "$*" >&2; }
[ $# -gt 0 ] || { say "usage: scripts/slurm-node.sh COMMAND…"; exit 2; }
[ "$(id -u)" = 0 ] || { say "SLURM's programs switch users: run this as root"; exit 77; }
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch; do
    command -v "$program" >/dev/null 2>&1 || {
        say "missing: $program. As root: apt-get install --no-install-recommends slurmctld slurmd slurm-client munge"
        exit 77
    }
done

work=$(mktemp -d)
chmod 755 "$work"
host=$(uname -n)
host=${host%%.*}
# Ports that nobody has, as far as can be seen.
port=$((20000 + $$ % 10000))
pids=()
stop() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$work"
}
trap stop EXIT
mkdir -m 755 "$work/munge" "$work/state" "$work/spool"
(umask 077 && dd if=/dev/urandom of="$work/munge/key" bs=128 count=1 status=none)
cat >"$work/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=10
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf

# Each in the foreground, and so a child that can be waited for.
munged --foreground --force --key-file="$work/munge/key" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed" >"$work/munge/out" 2>&1 &
pids+=($!)
for _ in $(seq 100); do [ -S "$work/munge/socket" ] && break; sleep 0.1; done
slurmctld -D >"$work/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D >"$work/slurmd.log" 2>&1 &
pids+=($!)
for _ in $(seq 300); do
    if sinfo --noheader --format=%T 2>/dev/null | grep -qx idle; then ready=yes; break; fi
    sleep 0.2
done
if [ "${ready:-no}" != yes ]; then
    say "the node does not come up"
    tail -n 20 "$work"/munge/out "$work"/munge/log "$work"/slurmctld.log "$work"/slurmd.log >&2 || true
    exit 1
fi
status=0
"$@" || status=$?
exit "$status"
