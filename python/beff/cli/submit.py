"""`beff submit`."""

import hashlib
import json
import os
import ssl
import sys
import time
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx

from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.options import ResultFiles, argument, option
from beff.model.errors import BeffError
from beff.model.numbers import format_size
from beff.store.errors import RefusedError
from beff.store.hardware import read_hardware
from beff.store.reading import read_content

TOKEN_VARIABLE = "BEFF_TOKEN"
_TIMEOUT_S = 300
_LONGEST_ANSWER = 1 << 20
_WAIT = (429, 503)
_LONGEST_WAIT_S = 600
_MOST_TRIES = 20


def submit(  # noqa: PLR0917 - one parameter per option of the command
    url: Annotated[str, argument("URL", "Address of the list.")],
    files: ResultFiles,
    system: Annotated[str | None, option("--system", "NAME", "Name of the system.")] = None,
    hardware: Annotated[
        Path | None,
        option(
            "--hardware",
            "FILE",
            "YAML file with the system's hardware; for a system that is new in the list.",
        ),
    ] = None,
    share_with: Annotated[
        str | None,
        option(
            "--share-with", "NAME", "Let the holder of this token add to the system, too; if yours."
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        option("--token-file", "FILE", "File with the token.", default="the variable BEFF_TOKEN"),
    ] = None,
) -> int:
    """Send results to a list; its server verifies them before it stores them.

    The token comes from the operator of the list. Where the list asks to wait, this waits. Exit
    code 1 when a file was refused or cannot be read; the others are sent all the same.

    \b
    Example:
      beff submit https://list.example.org results/*/b_eff_*p.json --token-file token
    """  # noqa: D301 - \b keeps the lines of the example apart
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise WrongUsageError(f"{url}: is no address of a list; it begins with https://")
    token = _token(token_file)
    if hardware is not None:
        read_hardware(hardware)  # refuses here what the server would refuse
    told = {"system": system, "share_with": share_with}
    fields = {name: value for name, value in told.items() if value is not None}
    good = [_send_patiently(url, path, token, fields, hardware) for path in files]
    return exit_codes.OK if all(good) else exit_codes.FAILED


def _token(file: Path | None) -> str:
    text = os.environ.get(TOKEN_VARIABLE, "")
    if file is not None:
        text = read_content(file).decode("utf-8", "replace")
    token = text.strip()
    if not token:
        raise WrongUsageError(f"no token; set {TOKEN_VARIABLE} or give --token-file FILE")
    if not token.isascii() or not token.isprintable():
        raise WrongUsageError("the token holds characters that no token has")
    return token


def _send_patiently(
    url: str, path: Path, token: str, told: dict[str, str], hardware: Path | None
) -> bool:
    """Send a file, and again as often as the list asks to wait. Returns whether it was taken."""
    for _ in range(_MOST_TRIES):
        try:
            wait_s = _send(url, path, token, told, hardware)
        except RefusedError as problem:
            print(problem, file=sys.stderr)
            return False
        if wait_s is None:
            return True
        print(f"{path}: waits {wait_s} s, as the list asks", file=sys.stderr)
        time.sleep(wait_s)
    print(f"{path}: not sent, for the list kept asking to wait", file=sys.stderr)
    return False


def _send(
    url: str, path: Path, token: str, told: dict[str, str], hardware: Path | None
) -> int | None:
    """Send a file. Returns how long to wait before the next try, None where it was taken.

    Raises RefusedError for a file that was not.
    """
    content = read_content(path)
    fields = {**told, "sha256": hashlib.sha256(content).hexdigest()}
    files = {"file": content}
    if hardware is not None:
        files["hardware"] = read_content(hardware)
    try:
        with httpx.stream(
            "POST",
            url.rstrip("/") + "/api/v1/results",
            data=fields,
            files=files,
            headers={"Authorization": f"Bearer {token}"},
            follow_redirects=False,  # a token goes to the address that the user named and no other
            timeout=_TIMEOUT_S,
            verify=ssl.create_default_context(),  # the authorities that this system trusts
        ) as answer:
            text = _text(answer)
            wait = answer.headers.get("retry-after", "")
            if answer.status_code in _WAIT and wait.isdecimal() and int(wait) <= _LONGEST_WAIT_S:
                return int(wait)
            if not answer.is_success:
                raise RefusedError(f"{path}: refused: {_reason(answer, text)}")
            said = json.loads(text)
    except httpx.WriteError:
        raise RefusedError(
            f"{path}: not sent whole; the list closed the connection, as it does for more bytes"
            f" than it takes (this file has {format_size(len(content))})"
        ) from None
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as problem:
        raise BeffError(f"{url}: does not answer as a list does ({problem})") from None
    print(f"{path}: {_outcome(said)}")
    return None


def _text(answer: httpx.Response) -> bytes:
    """Read what was answered. Raises ValueError for more than a list ever says."""
    text = b""
    for part in answer.iter_bytes():
        text += part
        if len(text) > _LONGEST_ANSWER:
            raise ValueError("its answer is too long")
    return text


def _reason(answer: httpx.Response, text: bytes) -> str:
    try:
        message = json.loads(text)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        message = answer.reason_phrase
    return f"{message} (status {answer.status_code})"


def _outcome(said: dict[str, Any]) -> str:
    if not said["new"]:
        refused = f"; the operator has refused it: {said['refusal']}" if said["refusal"] else ""
        return f"is already result {said['id']} of system '{said['system']}'{refused}"
    ranking = "" if said["status"] == "valid" else f"; it is {said['status']}, so not ranked"
    waits = "" if said["published"] else "; the operator of the list has to publish it"
    warnings = "".join(f"; {warning}" for warning in said.get("warnings", []))
    return f"stored as result {said['id']} of system '{said['system']}'{ranking}{waits}{warnings}"
