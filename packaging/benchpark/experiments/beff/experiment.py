"""Experiment for Benchpark; see docs/how-to/sites.md."""

from benchpark.directives import variant
from benchpark.experiment import Experiment
from benchpark.mpi import MpiOnlyExperiment


class Beff(Experiment, MpiOnlyExperiment):
    """One process per core, on the nodes asked for."""

    variant(
        "workload",
        default="b_eff",
        values=("b_eff", "b_eff_io"),
        description="communication or file I/O",
    )
    variant("nodes", default="2", description="number of nodes")
    variant("version", default="main", description="version of beff")

    def compute_applications_section(self):
        """Set how many processes run where."""
        self.add_experiment_variable("n_nodes", self.spec.variants["nodes"][0], True)
        self.add_experiment_variable("n_ranks", "{sys_cores_per_node} * {n_nodes}", True)
        # the programs choose message sizes and amounts of data by the memory
        self.set_required_variables(
            n_resources="{n_ranks}", process_problem_size="memory", total_problem_size="memory"
        )

    def compute_package_section(self):
        """Ask for the package of packaging/spack."""
        self.add_package_spec(self.name, [f"beff@{self.spec.variants['version'][0]}"])
