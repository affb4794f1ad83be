"""`beff submit`."""

import hashlib
import json
import os
import ssl
import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import httpx

from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.options import ResultFiles, argument, option
from beff.model.errors import BeffError
from beff.store.hardware import read_hardware
from beff.store.reading import read_content

TOKEN_VARIABLE = "BEFF_TOKEN"
_TIMEOUT_S = 300
_LONGEST_ANSWER = 1 << 20


def submit(
    url: Annotated[str, argument("URL", "Address of the list.")],
    files: ResultFiles,
    system: Annotated[
        str | None,
        option("--system", "NAME", "Name of the system."),
    ] = None,
    hardware: Annotated[
        Path | None,
        option(
            "--hardware",
            "FILE",
            "YAML file with the system's hardware; for a system that is new in the list.",
        ),
    ] = None,
    token_file: Annotated[
        Path | None,
        option("--token-file", "FILE", "File with the token.", default="the variable BEFF_TOKEN"),
    ] = None,
) -> int:
    """Send results to a list; its server verifies them before it stores them.

    The token comes from the operator of the list. Exit code 1 when a file was refused.

    \b
    Example:
      beff submit https://list.example.org results/*/b_eff_*p.json --token-file token
    """  # noqa: D301 - \b keeps the lines of the example apart
    if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
        raise WrongUsageError(f"{url}: is no address of a list; it begins with https://")
    token = _token(token_file)
    if hardware is not None:
        read_hardware(hardware)  # refuses here what the server would refuse
    good = [_send(url, path, token, system, hardware) for path in files]
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


def _send(url: str, path: Path, token: str, system: str | None, hardware: Path | None) -> bool:
    content = read_content(path)
    fields = {"sha256": hashlib.sha256(content).hexdigest()}
    if system is not None:
        fields["system"] = system
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
            if not answer.is_success:
                print(f"{path}: refused: {_reason(answer, text)}", file=sys.stderr)
                return False
            said = json.loads(text)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as problem:
        raise BeffError(f"{url}: does not answer as a list does ({problem})") from None
    print(f"{path}: {_outcome(said)}")
    return True


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
        return f"is already result {said['id']} of system '{said['system']}'"
    ranking = "" if said["status"] == "valid" else f"; it is {said['status']}, so not ranked"
    waits = "" if said["published"] else "; the operator of the list has to publish it"
    return f"stored as result {said['id']} of system '{said['system']}'{ranking}{waits}"
