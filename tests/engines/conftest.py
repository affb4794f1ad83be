"""The MPI libraries the engines are tested with."""

import pytest

from engines.support import LIBRARIES, Library


@pytest.fixture(params=[pytest.param(library, id=library.name) for library in LIBRARIES])
def library(request: pytest.FixtureRequest) -> Library:
    chosen: Library = request.param
    return chosen
