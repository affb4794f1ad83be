#!/bin/bash
#flux: --job-name=@{name}
#flux: --nodes=@{nodes}
#flux: --nslots=@{processes}
#flux: --exclusive
#flux: --time-limit=@{minutes}m
#flux: --bank=@{account}
#flux: --queue=@{partition}
#flux: --output=@{name}_{{id}}.out
# Not tested on a real Flux.
job=$(date -u +%Y-%m-%dT%H%M%SZ)
launch=(flux run --nodes=@{nodes} --ntasks=@{processes} @{flux_protocol} -o cpu-affinity=per-task)
