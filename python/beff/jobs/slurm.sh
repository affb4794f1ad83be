#!/bin/bash
#SBATCH --job-name=@{name}
#SBATCH --nodes=@{nodes}
#SBATCH --ntasks-per-node=@{tasks_per_node}
#SBATCH --exclusive
#SBATCH --time=@{hours_minutes_seconds}
#SBATCH --account=@{account}
#SBATCH --partition=@{partition}
#SBATCH --output=@{name}_%j.out
job=$SLURM_JOB_ID
# block: neighbouring ranks share a node. --mpi must suit the MPI library of the programs.
launch=(srun @{start_protocol} --ntasks=@{processes} --cpu-bind=cores --distribution=block:block)
