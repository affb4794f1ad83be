#!/bin/bash
#PBS -N @{name}
#PBS -l select=@{nodes}:ncpus=@{tasks_per_node}:mpiprocs=@{tasks_per_node}
#PBS -l place=scatter:exclhost
#PBS -l walltime=@{hours_minutes_seconds}
#PBS -A @{account}
#PBS -q @{partition}
#PBS -j oe
# For PBS Professional and OpenPBS; not tested on a real one.
cd "$PBS_O_WORKDIR" || exit 1
job=${PBS_JOBID%%.*}
# The node file names a node for each of its processes, so neighbouring ranks share a node.
hosts=$PBS_NODEFILE
launch=(@{mpiexec})
