"""Digest of the samples."""

from beff.analysis.common.digest import columns_digest
from beff.model.b_eff_result import Samples


def samples_digest(samples: Samples) -> str:
    """Sixteen hexadecimal digits over all columns in the order of the file."""
    return columns_digest((name, getattr(samples, name)) for name in samples.columns())
