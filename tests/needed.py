"""Programs that some tests need; where one is missing, a skip says how to get it."""

import shutil

import pytest

GET_IT = "tools/install_packages tools/test_packages.txt installs it"


def needed(*names: str) -> str:
    """Return the path of a program under one of its names; skips where it is missing."""
    for name in names:
        if found := shutil.which(name):
            return found
    pytest.skip(f"{names[0]} is not installed; {GET_IT}")
