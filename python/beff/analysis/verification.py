"""The outcome of verifying one result file."""

from dataclasses import dataclass

from beff.analysis.finding import Finding


@dataclass(frozen=True)
class Verification:
    """Findings in the order of the checks; empty for a good file.

    `figures` derived values were compared, `samples` raw samples were checked; `not_checked` names
    what an imported result does not hold.
    """

    findings: tuple[Finding, ...]
    figures: int
    samples: int
    not_checked: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True when nothing was found."""
        return not self.findings
