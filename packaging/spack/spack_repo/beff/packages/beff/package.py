"""Recipe for Spack 1.0 or newer: the measuring programs, built against the site's MPI.

The sources are those of the checkout that it lies in; see docs/how-to/sites.md.
"""

from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import depends_on, license, version


class Beff(CMakePackage):
    """Effective bandwidth of parallel systems: communication (b_eff) and file I/O (b_eff_io)."""

    git = f"file://{Path(__file__).resolve().parents[6]}"

    license("Apache-2.0")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("mpi")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.10:")

    def cmake_args(self):
        """Take the MPI of the spec, and nothing from a virtual environment in the checkout."""
        return [
            self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc),
            self.define("BEFF_VENV", "/nonexistent"),
        ]
