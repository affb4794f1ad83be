"""Application for Ramble; see docs/how-to/sites.md."""

from ramble.appkit import *


class Beff(ExecutableApplication):
    """Effective bandwidth of parallel systems: communication (b_eff) and file I/O (b_eff_io)."""

    name = "beff"

    tags("synthetic-benchmarks", "network", "IO")

    software_spec("beff", pkg_spec="beff", package_manager="spack*")
    required_package("beff", package_manager="spack*")

    executable("b_eff", "b_eff --output beff {options}", use_mpi=True)
    workload("b_eff", executables=["b_eff"])
    workload_variable(
        "options",
        default="--nodes {n_nodes}",
        description="Options of b_eff; refuses to measure on other nodes than those asked for",
        workloads=["b_eff"],
    )

    executable("b_eff_io", "b_eff_io --output beff --path {path} {options}", use_mpi=True)
    workload("b_eff_io", executables=["b_eff_io"])
    workload_variable(
        "path",
        default="{experiment_run_dir}",
        description="Folder on the file system to be measured",
        workloads=["b_eff_io"],
    )
    workload_variable(
        "options", default="", description="Options of b_eff_io", workloads=["b_eff_io"]
    )

    success_criteria("valid", mode="string", match=r"^VALID for comparison")

    for figure, label, unit in (
        ("b_eff", "b_eff", "MB/s"),
        ("rings", "rings", "MB/s"),
        ("random rings", "random rings", "MB/s"),
        ("b_eff at L_max", "b_eff at L_max", "MB/s"),
        ("latency", "latency, rings and random", "us"),
        ("b_eff_io", "b_eff_io of these measurements =", "MB/s"),
    ):
        figure_of_merit(
            figure,
            fom_regex=rf"^{label}\s+(?P<figure>[0-9.]+) {unit}",
            group_name="figure",
            units=unit,
        )
