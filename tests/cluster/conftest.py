"""Fixtures of the tests on emulated clusters."""

from __future__ import annotations

import functools

import pytest

from cluster.emulation import reason_against
from cluster.emulation.mpi import CLUSTER_LIBRARIES, ClusterLibrary


@functools.cache
def _reason() -> str | None:
    return reason_against()


@pytest.fixture(autouse=True, scope="session")
def _namespaces() -> None:
    """Skip everything here where no cluster can be emulated."""
    reason = _reason()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(params=[pytest.param(each, id=each.name) for each in CLUSTER_LIBRARIES])
def library(request: pytest.FixtureRequest) -> ClusterLibrary:
    chosen: ClusterLibrary = request.param
    return chosen
