"""The user's key, made on first use, and `beff sign`."""

import json
import os
import stat
import sys
import tempfile
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from beff.analysis.common.signature import (
    FIELD,
    short_key,
    signature_findings,
    signed_content,
    signer_of,
)
from beff.cli.files import with_each
from beff.cli.options import ResultFiles
from beff.model.errors import BeffError
from beff.model.load import check_document, load_document
from beff.model.strict_json import json_object, read_text
from beff.model.write import write_atomically

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def key_file() -> Path:
    """Return where the user's key is kept."""
    folder = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(folder) / "beff" / "signing_key.pem"


def signing_key() -> Ed25519PrivateKey:
    """Return the user's key; makes it on first use. Raises BeffError."""
    path = key_file()
    try:
        if not path.exists():
            _make(path)
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_mode & _OTHERS:
                raise BeffError(
                    f"{path}: other users may use this key; chmod 600 restricts it to you"
                )
            text = file.read()
    except OSError as problem:
        raise BeffError(f"{path}: the key cannot be used ({problem.strerror})") from None
    try:
        key = load_pem_private_key(text, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: locked by a password
        key = None
    if not isinstance(key, Ed25519PrivateKey):
        raise BeffError(
            f"{path}: is no Ed25519 key without a password; bring yours back, or move the file away"
            " to begin with a new key"
        )
    return key


def _make(path: Path) -> None:
    """Write a new key, whole or not at all; of several that do so at once, one wins."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    number, temporary = tempfile.mkstemp(dir=path.parent)  # which only its owner may read
    try:
        with os.fdopen(number, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        return
    finally:
        Path(temporary).unlink()
    print(
        f"beff: made key {short_key(public_key(key))} in {path}; whoever has it signs as you",
        file=sys.stderr,
    )


def public_key(key: Ed25519PrivateKey) -> str:
    """Return the public part as it stands in results."""
    return key.public_key().public_bytes_raw().hex()


def sign_file(path: Path, key: Ed25519PrivateKey) -> bool:
    """Add a signature to a result file, which stays as it is otherwise.

    Returns whether it was added: the own one may stand there already. Raises BeffError.
    """
    document = load_document(path)
    signer, own = signer_of(document), public_key(key)
    for finding in signature_findings(document):
        raise BeffError(f"{path}: {finding}")
    if signer == own:
        return False
    if document.is_imported or signer is not None:
        why = "is imported" if signer is None else f"is signed by key {short_key(signer)} already"
        raise BeffError(f"{path}: {why}; only what was measured and not yet signed can be")
    value = key.sign(signed_content(document.fields)).hex()
    signature = {"algorithm": "ed25519", "public_key": own, "value": value}
    body = read_text(path).rstrip().removesuffix("}").rstrip()
    text = f'{body},\n "{FIELD}": {json.dumps(signature)}\n}}\n'
    check_document(str(path), json_object(str(path), text))
    write_atomically(path, text, overwrite=True)
    return True


def sign(files: ResultFiles) -> int:
    """Sign result files with your key.

    The key is made on first use. A signature shows that the file is unchanged since the holder
    of the key signed it; it shows neither who that is nor that the figures were measured.

    \b
    Example:
      beff sign results/*/b_eff_*p.json
    """  # noqa: D301 - \b keeps the lines of the example apart
    key = signing_key()

    def signed(path: Path) -> bool:
        new = sign_file(path, key)
        print(f"{path}: {'' if new else 'is already '}signed by key {short_key(public_key(key))}")
        return True

    return with_each(files, signed)
