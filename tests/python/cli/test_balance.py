"""`beff show --hpl` and `--rmax`: R_max of outputs of HPL and HPCC, and the balance table."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.reports import B_EFF, ROOT, run_beff

from beff.definition.verify import verify
from beff.imports.published import parse_linpack
from beff.result.armour import read_bytes
from beff.result.errors import BeffError
from beff.result.load import load_document
from beff.result.places import packed
from beff.result.result_parts import RMax

# --- output of Linpack ---

HPL = (ROOT / "tests/golden/given/hpl.txt").read_text("utf-8")
ROW, RULE, RESIDUAL = HPL.splitlines()[6:9]
RUN = f"{ROW}\n{RULE}\n{RESIDUAL}\n"
SLOWER = RUN.replace("717.06", "800.00").replace("2.311e+01", "2.071e+01")
FAILED = RUN.replace("PASSED", "FAILED")
BEFORE = "WALL   500   500 128 128   1   2     0.09 PASSED    0.023  0.00\n"
"""What another part of HPCC prints."""


def parsed(text: str) -> RMax:
    return parse_linpack("folder/HPL.out", "HPL.out", text)


def test_output_of_hpl() -> None:
    """2/3 · 29184³ flop in 717.06 s."""
    settings = {"n": 29184, "nb": 192, "p": 2, "q": 2, "time_s": 717.06, "residual": 0.0024559}
    assert parsed(HPL) == RMax(gflops=23.11, origin="hpl", source="HPL.out", **settings)


@pytest.mark.parametrize(
    "text",
    [
        f"{BEFORE}Begin of HPL section.\n{RUN}HPL_Tflops=0.0231\nHPL_N=29184\n",
        HPL.replace(RUN, SLOWER + RUN + SLOWER),
        HPL.replace(RESIDUAL, "\n".join([RESIDUAL] * 3)),  # of old releases
        # HPL of GPU vendors prints what each GPU has behind the total
        *(HPL.replace(ROW, ROW + end) for end in (" ( 1.156e+01)", "\t11.56", "\r", "   ")),
    ],
)
def test_the_total_of_the_fastest_run_counts(text: str) -> None:
    assert parsed(text).gflops == 23.11


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no run of Linpack"),
        (HPL.replace(RUN, ""), "no run of Linpack"),
        (HPL.replace(RESIDUAL, ""), "no line with its residual"),
        (HPL.replace(RUN, FAILED), "FAILED"),
        (HPL.replace(RUN, RUN + FAILED), "FAILED"),
        *((HPL.replace("0.0024559", residual), "FAILED") for residual in ("nan", "inf", "-inf")),
        (HPL.replace(RUN, f"{ROW}\n{RULE}\n{RUN}"), "no line with its residual"),
        (HPL.replace("2.311e+01", "9.900e+01"), "contradict"),
        (HPL.replace("2.311e+01", "0.000e+00"), "impossible"),
    ],
)
def test_outputs_that_do_not_count(text: str, words: str) -> None:
    with pytest.raises(BeffError, match=words):
        parsed(text)


# --- results ---


# --- the table ---


# --- the command ---


def test_packed_results_get_packed_files(tmp_path: Path) -> None:
    named = tmp_path / "named.json.gz"
    assert run_beff("show", B_EFF, "--rmax", "5", "-o", named).returncode == 0
    assert named.read_bytes() == packed(read_bytes(named))
    assert verify(load_document(named)).agrees
