"""Signatures of results: who holds a key stands for what a file says.

A signature is of everything in a result but itself, as `signed_content` writes it, so it still
fits when the file is written anew, in another order of fields or with other spaces. It proves that
the file is as the holder of the key signed it, and nothing about how its figures came about.
"""

import json
from typing import Any

from beff.analysis.common.verification import Disagreement
from beff.model.contract import ImportedResult
from beff.model.errors import ResultError
from beff.model.load import Document

FIELD = "signature"
_PURPOSE = b"result of beff, form 1\n"
"""Stands before what is signed, so that nothing else signed by the key passes for a result."""
_SHOWN_DIGITS = 16
_PRIME = 2**255 - 19
_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER = {0, 1, _PRIME - 1, _OF_ORDER_8, _PRIME - _OF_ORDER_8}
"""The y of points of the curve with an order of 1 to 8: one signature fits any text by them."""


def signed_content(fields: dict[str, Any]) -> bytes:
    """Return what a signature is made of: fields by name, numbers by value. Raises ResultError."""
    rest = {name: value for name, value in fields.items() if name != FIELD}
    try:
        plain = json.loads(json.dumps(rest), parse_float=_number)
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        raise ResultError("the result is nested too deeply to be signed") from None
    return _PURPOSE + text.encode("ascii")


def _number(text: str) -> int | float:
    """Read 1.0 as 1, which other writers of JSON make of it."""
    value = float(text)
    return int(value) if value.is_integer() else value


def signer_of(document: Document) -> str | None:
    """Return the public key that the file names as its signer's; None where it is not signed."""
    if isinstance(document.result, ImportedResult) or document.result.signature is None:
        return None
    return document.result.signature.public_key


def short_key(public_key: str) -> str:
    """Return a key as people see it; programs compare the whole of it."""
    return public_key[:_SHOWN_DIGITS]


def is_weak(public_key: str) -> bool:
    """Whether a key is not written in the one way there is, or is of small order (RFC 8032)."""
    y = int.from_bytes(bytes.fromhex(public_key), "little") % 2**255
    return y >= _PRIME or y in _SMALL_ORDER


def fits(document: Document) -> bool | None:
    """Whether the signature of a signed result is one of its content.

    None where the package that checks it is missing.
    """
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - of an extra
        from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415 - as above
            Ed25519PublicKey,
        )
    except ModuleNotFoundError:
        return None
    stored = document.fields[FIELD]
    if is_weak(stored["public_key"]):
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(stored["public_key"]))
        key.verify(bytes.fromhex(stored["value"]), signed_content(document.fields))
    except (InvalidSignature, ValueError, ResultError):  # ValueError for what is no key
        return False
    return True


def checked_signer_of(document: Document) -> str | None:
    """Return the public key of who signed a result; None without a signature that fits."""
    return signer_of(document) if signer_of(document) and fits(document) else None


def signature_findings(document: Document) -> tuple[Disagreement, ...]:
    """Return what is wrong with a signature."""
    signer = signer_of(document)
    if signer is None or fits(document) is not False:
        return ()
    return (
        Disagreement(
            FIELD,
            f"one by key {short_key(signer)} of something else",
            "of this file: it was changed after it was signed, or the signature is another's",
        ),
    )


def signature_sentence(document: Document) -> str | None:
    """Say by which key a result is signed; None where it is not."""
    signer = signer_of(document)
    if signer is None:
        return None
    found = fits(document)
    if found is None:
        return (
            f"names key {short_key(signer)} as its signer's, not checked, as the package is missing"
            " cryptography, which pip install 'beff[sign]' adds"
        )
    return f"signed by key {short_key(signer)}" if found else "its signature does not fit"
