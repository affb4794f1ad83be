"""Fixtures of the tests on emulated clusters."""

import pytest

from cluster.emulation import reason_against
from cluster.emulation.mpi import CLUSTER_LIBRARIES, ClusterLibrary


@pytest.fixture(autouse=True, scope="session")
def _namespaces() -> None:
    """Skip everything here where no cluster can be emulated."""
    reason = reason_against()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(params=[pytest.param(each, id=each.name) for each in CLUSTER_LIBRARIES])
def library(request: pytest.FixtureRequest) -> ClusterLibrary:
    chosen: ClusterLibrary = request.param
    return chosen
