#!/bin/sh
# A campaign by GNU parallel: parallel.sh SHARDS INPUTS... The machines that FLEET names ("4/host1,8/host2": slots and
# host) run the shards over ssh and see the folder under the same name; without it, this one does. Run it again after
# an interrupt: each shard goes on where it was stopped.
set -eu
count=$1
shift
mkdir -p shards
# 1 and 3 are answers; anything else stops nothing, and merge says which shards are missing.
seq "$count" | parallel ${FLEET:+--sshlogin "$FLEET"} --workdir "$PWD" --quote \
  linchpin check --threads 1 --json --shard "{}/$count" --resume "shards/{}.jsonl" "$@" || true
linchpin merge shards/*.jsonl
