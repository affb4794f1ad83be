"""The examples beside the schema: good ones are accepted, damaged ones refused in one sentence."""

from pathlib import Path

import pytest

from beff.analysis.verify import verify
from beff.model.errors import ResultError
from beff.model.load import load_document

EXAMPLES = Path(__file__).resolve().parents[3] / "schema" / "examples"
REASONS = {
    "criteria_empty": "criteria",
    "cut_off": "JSON",
    "digest_not_hexadecimal": "digest.samples",
    "environment_negative_memory_per_process_bytes": "environment.memory_per_process_bytes",
    "imported_valid": "valid",
    "message_sizes_bytes_too_few": "message_sizes_bytes",
    "methods_unknown": "methods",
    "not_a_number": "NaN",
    "samples_with_text_in_time_max_s": "samples.time_max_s",
    "schema_version_2": "schema_version",
    "summary_without_lmax_bytes": "summary",
}


@pytest.mark.parametrize("path", sorted((EXAMPLES / "valid").iterdir()), ids=lambda p: p.stem)
def test_good_example_is_accepted_and_verified(path: Path) -> None:
    assert verify(load_document(path)).findings == ()


def test_every_damaged_example_has_a_reason() -> None:
    assert {path.stem for path in (EXAMPLES / "damaged").iterdir()} == set(REASONS)


@pytest.mark.parametrize(("name", "place"), REASONS.items())
def test_damaged_example_is_refused_naming_the_place(name: str, place: str) -> None:
    with pytest.raises(ResultError) as refusal:
        load_document(EXAMPLES / "damaged" / f"{name}.json")
    message = str(refusal.value)
    assert place in message
    assert "\n" not in message
