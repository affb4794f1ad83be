"""The derived figures of b_eff_io's partitions as the result file has them, for showing them."""

from pydantic import ValidationError

from beff.model.b_eff_io_result import Access
from beff.model.errors import ResultError
from beff.model.json_path import json_path
from beff.model.load import Document
from beff.model.result_parts import Figure, Record


class PartitionFigures(Record):
    """Figures of one partition in MB/s.

    `access` is the mean over the types per access method, the scatter type counted twice; `values`
    are b_eff_io by release.
    """

    processes: int
    access: dict[Access, Figure]
    values: dict[str, Figure]


class _WithPartitions(Record):
    partitions: list[PartitionFigures]


def partition_figures(document: Document) -> list[PartitionFigures]:
    """Return the figures of all partitions. Raises ResultError when one is missing."""
    try:
        return _WithPartitions.model_validate(document.fields).partitions
    except ValidationError as problem:
        first = problem.errors()[0]
        raise ResultError(
            f"{document.source}: does not keep the schema at {json_path(first['loc'])}:"
            f" {first['msg']}"
        ) from None
