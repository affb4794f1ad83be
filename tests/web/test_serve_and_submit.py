"""`beff serve` and `beff submit` as processes, on both databases; what a sudden death leaves."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import httpx
import pytest
from server import running

from beff.cli.app import main
from beff.store.database import open_store
from beff.store.queries import entries
from beff.store.reading import file_content
from beff.store.tokens import create_token
from store_support import OFFICIAL, bytes_of, result_of


@pytest.fixture
def token(database: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A token that `beff submit` finds."""
    with open_store(database) as store, store.write() as session:
        made = create_token(session, "tester")
    monkeypatch.setenv("BEFF_TOKEN", made)
    return made


def write(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    return str(path)


def test_from_submission_to_the_list(
    database: str, tmp_path: Path, token: str, capsys: pytest.CaptureFixture[str]
) -> None:
    good = write(tmp_path / "good.json", bytes_of(result_of(plan=OFFICIAL)))
    cut = write(tmp_path / "cut.json", bytes_of(result_of())[:-9])
    hardware = write(tmp_path / "new.yaml", b"name: New one\ninterconnect: Example fabric\n")
    wrong = write(tmp_path / "token", b"wrong\n")
    with running(database) as server:
        assert main(["submit", server.url, good, cut, "--hardware", hardware]) == 1
        said = capsys.readouterr()
        assert f"{good}: stored as result 1 of system 'New one'; the operator" in said.out
        assert f"{cut}: refused: the file: " in said.err
        assert main(["submit", server.url, good]) == 0
        assert "is already result 1" in capsys.readouterr().out
        assert main(["submit", server.url, good, "--token-file", wrong]) == 1
        assert "status 401" in capsys.readouterr().err
        assert "New one" not in urlopen(server.url, timeout=240).read().decode()
        assert main(["store", "publish", "1", "--database", database]) == 0
        assert "New one" in urlopen(server.url, timeout=240).read().decode()


def test_several_submit_at_once(database: str, tmp_path: Path, token: str) -> None:
    """Two submit over the network while a third adds by the command line.

    What the operator has added first waits a second time, as a copy of somebody else.
    """
    files = [
        write(tmp_path / f"{index}.json", bytes_of(result_of(speed=1 + index / 10)))
        for index in range(4)
    ]
    with running(database) as server:
        codes: list[int] = []

        def sent(*names: str) -> None:
            codes.append(main(["submit", server.url, *names, "--system", "node"]))

        threads = [threading.Thread(target=sent, args=part) for part in (files[:3], files[1:])]
        for thread in threads:
            thread.start()
        codes.append(main(["store", "add", *files[1:3], "--database", database]))
        for thread in threads:
            thread.join(timeout=240)
    assert codes == [0, 0, 0]
    with open_store(database) as store, store.read() as session:
        kept = [file_content(entry.file) for entry in entries(session) if entry.file]
    assert set(kept) == {Path(name).read_bytes() for name in files}


def half_a_submission(url: str, token: str, content: bytes) -> socket.socket:
    """Send the head and the first half of a submission, and leave the connection open."""
    address = urlsplit(url)
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    body = head + content + b"\r\n--x--\r\n"
    connection = socket.create_connection((address.hostname, address.port or 80), timeout=30)
    connection.sendall(
        f"POST /api/v1/results HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
    )
    connection.sendall(body[: len(body) // 2])
    return connection


@pytest.mark.parametrize("moment", ["while it arrives", "while it is verified", "just after"])
def test_a_killed_server_leaves_a_good_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    database = str(tmp_path / "list.sqlite3")
    with open_store(database) as store, store.write() as session:
        token = create_token(session, "tester")
    monkeypatch.setenv("BEFF_TOKEN", token)
    content = bytes_of(result_of(plan=OFFICIAL))
    path = write(tmp_path / "result.json", content)
    with running(database) as server:
        if moment == "while it arrives":
            connection = half_a_submission(server.url, token, content)
            time.sleep(0.5)
            server.process.send_signal(signal.SIGKILL)
            connection.close()
        else:
            command = ["submit", "--system", "New"]
            client = threading.Thread(target=main, args=([*command, server.url, path],))
            client.start()
            if moment == "just after":
                _wait_for_an_entry(database)
            else:
                time.sleep(1)
            server.process.send_signal(signal.SIGKILL)
            client.join(timeout=240)
        server.process.wait(timeout=240)
    with open_store(database) as store, store.read() as session:
        found = entries(session)
        assert all(entry.file and file_content(entry.file) == content for entry in found)
        assert len(found) in {"while it arrives": (0,), "just after": (1,)}.get(moment, (0, 1))
    assert main(["store", "add", path, "--database", database]) == 0
    with open_store(database) as store, store.read() as session:
        assert len(entries(session)) == len(found) + 1  # what waits keeps nobody else out


def _wait_for_an_entry(database: str) -> None:
    until = time.monotonic() + 240
    with open_store(database) as store:
        while time.monotonic() < until:
            with store.read() as session:
                if entries(session):
                    return
            time.sleep(0.05)
    pytest.fail("the result was never stored")


class AsksToWait(BaseHTTPRequestHandler):
    """A list that asks to wait once, and then refuses."""

    asked = 0

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        AsksToWait.asked += 1
        self.send_response(429 if AsksToWait.asked == 1 else 422)
        if AsksToWait.asked == 1:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", "0")
        self.end_headers()


def test_many_files_wait_as_told_and_go_on_after_a_bad_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BEFF_TOKEN", "x")
    files = [write(tmp_path / f"{i}.json", b"{}") for i in range(2)]
    with HTTPServer(("127.0.0.1", 0), AsksToWait) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert main(["submit", address, str(tmp_path / "missing.json"), *files]) == 1
        server.shutdown()
        thread.join()
    said = capsys.readouterr().err
    assert "missing.json: cannot be read" in said
    assert f"{files[0]}: waits 1 s, as the list asks" in said
    assert [f"{file}: refused" in said for file in files] == [True, True]
    assert AsksToWait.asked == 3


def test_idle_connections_send_nobody_away(database: str) -> None:
    with running(database) as server, contextlib.ExitStack() as opened:
        address = urlsplit(server.url)
        for _ in range(400):
            place = (address.hostname or "", address.port or 80)
            opened.enter_context(socket.create_connection(place, timeout=30))
        assert urlopen(server.url, timeout=240).status == 200


def test_only_a_named_proxy_tells_who_asks(database: str, token: str) -> None:
    """With forged headers a guesser stays one caller; behind a proxy each is one.

    A caller has ten tries, and one more every six seconds.
    """

    def statuses(*options: str) -> list[int]:
        with running(database, *options) as server, httpx.Client(timeout=240) as client:
            return [
                client.post(
                    f"{server.url}/api/v1/results",
                    files={"file": b"{}"},
                    headers={"X-Forwarded-For": f"203.0.113.{number}"},
                ).status_code
                for number in range(40)
            ]

    told = statuses()
    assert told[:10] == [401] * 10
    assert set(told) == {401, 429}
    assert statuses("--proxy", "127.0.0.1") == [401] * 40


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("serve", "--host", "0.0.0.0"), 2, "say with --name under which host name"),
        (("serve", "--host", "192.0.2.1", "--name", "x"), 1, "cannot listen on 192.0.2.1"),
        (("serve", "--port", "70000"), 2, "--help"),
        (("serve", "--proxy", "here"), 2, "--proxy here: is no IP address"),
        (("submit", "ftp://x", "f"), 2, "is no address of a list"),
        (("submit", "http://127.0.0.1:1", "f"), 2, "set BEFF_TOKEN or give --token-file"),
        (("submit", "http://x", "f", "--token-file", "missing"), 1, "missing: cannot be read"),
    ],
)
def test_wrong_usage(  # noqa: PLR0917 - fixtures and parameters
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    sentence: str,
) -> None:
    monkeypatch.setenv("BEFF_DATABASE", str(tmp_path / "x.sqlite3"))
    monkeypatch.delenv("BEFF_TOKEN", raising=False)
    assert main(list(arguments)) == code
    text = capfd.readouterr().err
    assert sentence in text
    assert "Traceback" not in text


def test_a_server_that_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "x.json", b"{}")
    monkeypatch.setenv("BEFF_TOKEN", "x")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]

        def answer() -> None:
            with contextlib.suppress(OSError):
                connection, _ = listener.accept()
                connection.recv(1000)
                connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n")
                connection.close()

        thread = threading.Thread(target=answer)
        thread.start()
        assert main(["submit", f"http://127.0.0.1:{port}", path]) == 1
        thread.join(timeout=240)
    assert "status 302" in capsys.readouterr().err
    assert main(["submit", "http://127.0.0.1:1", path]) == 1
    assert "does not answer as a list does" in capsys.readouterr().err
