"""The extras of this package, and what to say where one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from beff.launch.installation import install_command
from beff.result.errors import WrongUsageError

EXTRA_OF = {
    "vl_convert": "report",
    "pypdf": "report",
    "yaml": "list",
}
"""The extra of pyproject.toml that brings a package, by the name under which it is imported."""


def is_installed(extra: str) -> bool:
    """Whether all packages of an extra can be imported."""
    packages = (package for package, brought in EXTRA_OF.items() if brought == extra)
    try:
        return all(map(find_spec, packages))
    except ModuleNotFoundError:
        return False


@contextmanager
def missing_extra_explained() -> Iterator[None]:
    """Make one sentence of an import that fails as an extra is missing. Raises WrongUsageError."""
    try:
        yield
    except ModuleNotFoundError as problem:
        extra = EXTRA_OF.get((problem.name or "").partition(".")[0])
        if extra is None:  # a fault
            raise
        raise WrongUsageError(
            f"this needs the package {problem.name}, which is not installed;"
            f" {install_command(extra)} adds it"
        ) from None
