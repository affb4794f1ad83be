"""Whether the counts of checked data belong together."""

from beff.analysis.verification import Recheck


def check_counts(
    what: str, checked: int, wrong: int, first_error: str | None, check: Recheck, *, is_on: bool
) -> None:
    """Nothing is counted without a check, and a first error is given if there is any."""
    check.compare(["data_check", f"{what}_checked"], checked, checked if is_on else 0)
    path: list[str | int] = ["data_check", f"wrong_{what}"]
    check.require(0 <= wrong <= checked, path, wrong, f"at most {checked}")
    told, should = first_error is not None, "told" if wrong > 0 else None
    check.require(told == (wrong > 0), ["data_check", "first_error"], first_error, should)
