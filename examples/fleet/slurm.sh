#!/bin/sh
# A campaign as an array job of Slurm: sbatch --array=1-64 slurm.sh INPUTS... Each task is one shard, and a task that is
# requeued goes on where it was stopped. Afterwards: linchpin merge shards/*.jsonl
#SBATCH --cpus-per-task=1
#SBATCH --requeue
set -eu
mkdir -p shards
# Exit codes 1 and 3 are answers, and no reason for Slurm to call the task failed.
linchpin check --threads 1 --json --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --resume "shards/$SLURM_ARRAY_TASK_ID.jsonl" "$@" || case $? in 1 | 3) ;; *) exit 1 ;; esac
