"""The fields of a result that has a map of pairs, as far as the map is read from them."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np

from beff.definition.b_pairs_plan import meetings
from beff.definition.imported_pairs import KINDS
from beff.maps.pair_map import PairMap, pair_map
from beff.result.b_pairs_result import BPairsResult, NoAnswer
from support.machines.plan import rounds_of_pass
from support.machines.ways import Floats


def fields_of(pairs: PairMap, seed: int) -> dict[str, Any]:
    """Return the fields of a map of whole passes; `seed` is that of the run (`seed_of_run`)."""
    rounds = rounds_of_pass(pairs.units)
    passes = int(pairs.passes.max()) + 1
    met = meetings(pairs.units, rounds, passes, seed)
    sizes = np.bincount(met.passes * rounds + met.rounds, minlength=passes * rounds)
    texts = {kind: _texts(pairs.times[kind], np.cumsum(sizes)[:-1].tolist()) for kind in KINDS}
    return {
        "environment": {"hosts": [{"name": name, "processes": 1} for name in pairs.names]},
        "options": {"seed": seed},
        "plan": {
            "unit": pairs.unit,
            "units": pairs.units,
            "rounds": rounds,
            **{f"{kind}_bytes": pairs.bytes_of[kind] for kind in KINDS},
        },
        "passes": {
            f"{kind}_ns": [
                texts[kind][number * rounds : (number + 1) * rounds] for number in range(passes)
            ]
            for kind in KINDS
        },
        "retests": {
            "first": pairs.retest_first.tolist(),
            "second": pairs.retest_second.tolist(),
            **{f"{way}_ns": _ns(logs) for way, logs in pairs.retests.items()},
        },
        "no_answer": None,
    }


def read_map(fields: dict[str, Any]) -> PairMap:
    """Return the map of the fields that `fields_of` makes, or of a whole result."""
    no_answer = fields["no_answer"]
    parts = json.loads(json.dumps(fields), object_hook=lambda part: SimpleNamespace(**part))
    parts.options = fields["options"]
    parts.no_answer = None if no_answer is None else NoAnswer.model_validate(no_answer)
    return pair_map(BPairsResult.model_construct(**vars(parts)))


def _texts(logs: Floats, ends: list[int]) -> list[str]:
    """Return the column of each round."""
    numbers = list(map(str, _ns(logs)))
    return [
        " ".join(numbers[begin:end])
        for begin, end in zip([0, *ends], [*ends, len(numbers)], strict=True)
    ]


def _ns(logs: Floats) -> list[int]:
    found: list[int] = np.rint(np.exp(logs)).astype(int).tolist()
    return found
