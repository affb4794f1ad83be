"""From disk or from memory, and bandwidths that there are not."""

import pytest
from support.io_results import make_io_result

from beff.definition.b_eff_io import bandwidth
from beff.definition.b_eff_io_medium import disk_share
from beff.result.b_eff_io_result import BEffIoResult


def test_a_bandwidth_needs_bytes_and_time() -> None:
    assert bandwidth(3 * 10**6, 2.0) == pytest.approx(1.5)
    assert bandwidth(0, 2.0) is None
    assert bandwidth(1, 0.0) is None


@pytest.mark.parametrize(
    ("resident", "from_disk", "share"),
    [(75, 0, 0.25), (75, None, 0.25), (None, None, None), (None, 0, None), (200, None, 0.0)],
)
def test_disk_share(resident: int | None, from_disk: int | None, share: float | None) -> None:
    document = make_io_result()
    state = document["cache"][0]
    state.update(file_bytes=100, resident_before_bytes=resident, read_from_disk_bytes=from_disk)
    assert disk_share(BEffIoResult.model_validate(document)) == share


@pytest.mark.parametrize(("counted", "expected"), [(0.0, 0.25), (0.1, 0.1), (0.5, 0.25)])
def test_the_smaller_of_what_was_counted_and_not_resident(counted: float, expected: float) -> None:
    document = make_io_result()
    read = document["summary"]["bytes_per_access"]["read"]
    document["cache"][0]["read_from_disk_bytes"] = round(read * counted)
    share = disk_share(BEffIoResult.model_validate(document))
    assert share == pytest.approx(expected)
    document["environment"]["filesystem"]["in_memory"] = True
    assert disk_share(BEffIoResult.model_validate(document)) == 0
