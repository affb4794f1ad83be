# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Beff(CMakePackage):
    """Effective bandwidth of parallel systems: communication (b_eff) and file I/O (b_eff_io)."""

    # the checkout that this recipe lies in
    git = f"file://{Path(__file__).resolve().parents[6]}"

    license("Apache-2.0")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("mpi")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.10:")

    sanity_check_is_file = [join_path("bin", name) for name in ("b_eff", "b_eff_io", "b_pairs")]

    def cmake_args(self):
        # nothing from a virtual environment in the sources
        return [
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("BEFF_VENV", "/nonexistent"),
        ]

    def test_plan(self):
        """plan a run of four processes, which starts no MPI"""
        for name in ("b_eff", "b_eff_io"):
            program = which(join_path(self.prefix.bin, name), required=True)
            program("--plan", "--processes", "4", "--memory-per-process", "1GiB")
