"""Results named on the command line, by file or by folder."""

from pathlib import Path

from beff.model.errors import ResultError
from beff.model.load import Document, check_document, load_document
from beff.model.strict_json import read_json_object


def load_runs(path: Path) -> list[Document]:
    """Read a result file, or all of a folder and the folders in it.

    JSON files in a folder that do not claim to be results are left out. Raises ResultError for a
    file that cannot be read or does not keep the schema, and for a folder without results.
    """
    if not path.is_dir():
        return [load_document(path)]
    documents = []
    for file in sorted(path.rglob("*.json")):
        fields = read_json_object(file)
        if "schema_version" in fields or "benchmark" in fields:
            documents.append(check_document(str(file), fields))
    if not documents:
        raise ResultError(f"{path}: no result in this folder; results are its files *.json")
    return documents
