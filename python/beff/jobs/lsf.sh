#!/bin/bash
#BSUB -J @{name}
#BSUB -n @{processes}
#BSUB -R "span[ptile=@{tasks_per_node}]"
#BSUB -x
#BSUB -W @{hours_minutes}
#BSUB -P @{account}
#BSUB -q @{partition}
#BSUB -o @{name}_%J.out
# For IBM Spectrum LSF with mpiexec, not for jsrun; not tested on a real one.
job=$LSB_JOBID
# The file names a node for each of its processes, so neighbouring ranks share a node.
hosts=$LSB_DJOB_HOSTFILE
launch=(@{mpiexec})
