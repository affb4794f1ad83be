"""Fixtures of the tests on emulated clusters."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator

import pytest

from cluster.emulation import reason_against
from cluster.emulation.mpi import CLUSTER_LIBRARIES, ClusterLibrary

UNUSUAL_WAITING = ("MPIR_CVAR_CH4_PROGRESS_THROTTLE", "OMPI_MCA_threads_pthreads_yield_strategy")
"""How variables begin that tests/conftest.py sets, and that are not set here."""


@functools.cache
def _reason() -> str | None:
    return reason_against()


@pytest.fixture(autouse=True, scope="session")
def _namespaces() -> None:
    """Skip everything here where no cluster can be emulated."""
    reason = _reason()
    if reason is not None:
        pytest.skip(reason)


@pytest.fixture(autouse=True, scope="session")
def _usual_waiting() -> Iterator[None]:
    """Rates are compared with known ones here: processes wait as they do for users."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(UNUSUAL_WAITING):
                patch.delenv(name)
        yield


@pytest.fixture(params=[pytest.param(each, id=each.name) for each in CLUSTER_LIBRARIES])
def library(request: pytest.FixtureRequest) -> ClusterLibrary:
    chosen: ClusterLibrary = request.param
    return chosen
