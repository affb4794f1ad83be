"""`beff serve`."""

import ipaddress
from pathlib import Path
from typing import Annotated

from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.options import DatabaseOption, flag, option
from beff.model.errors import BeffError
from beff.store.database import Store, default_database, open_store
from beff.web.settings import LOOPBACK_NAMES, Settings


def serve(  # noqa: PLR0917 - one parameter per option of the command
    host: Annotated[str, option("--host", "ADDRESS", "Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, option("--port", None, "Port; 0 takes any free one.", min=0, max=65535)
    ] = 8321,
    name: Annotated[
        list[str] | None,
        option(
            "--name",
            "NAME",
            "A host name by which the list is called; may be repeated.",
            default="the loopback names",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        option(
            "--proxy",
            "ADDRESS",
            "A web server before this one, whose X-Forwarded-For is believed; may be repeated.",
            default="none is believed",
        ),
    ] = None,
    contact: Annotated[
        str, option("--contact", "TEXT", "Where to ask for a token.", default="nothing is said")
    ] = "",
    title: Annotated[str, option("--title", None, "Heading of the list.")] = "b_eff list",
    publish_at_once: Annotated[
        bool, flag("--publish-at-once", "Show submitted results without beff store publish.")
    ] = False,
    export: Annotated[
        Path | None,
        option(
            "--export", "DIR", "Write the list as files for any web server instead of serving it."
        ),
    ] = None,
    database: DatabaseOption = None,
) -> int:
    """Show the store as a list in which each reader sets the weights.

    Runs until it is interrupted. Results are taken from holders of a token: beff store tokens.

    \b
    Example:
      beff serve --port 8321
    """  # noqa: D301 - \b keeps the lines of the example apart
    settings = Settings(
        title=title, contact=contact, hosts=_names(host, name), publish_at_once=publish_at_once
    )
    with open_store(database or default_database()) as store:
        if export is not None:
            _export(store, settings, export)
        else:
            _run(store, settings, host, port, _addresses(proxy))
    return exit_codes.OK


def _names(host: str, given: list[str] | None) -> tuple[str, ...]:
    if given:
        return (*LOOPBACK_NAMES, *given)
    if not _is_loopback(host):
        raise WrongUsageError(
            f"--host {host}: is not of this machine alone, so say with --name under which host"
            " name the list is called"
        )
    return LOOPBACK_NAMES


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _addresses(proxies: list[str] | None) -> list[str]:
    """Return the addresses of proxies. Raises WrongUsageError for anything else."""
    for address in proxies or []:
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise WrongUsageError(
                f"--proxy {address}: is no IP address or network of a web server"
            ) from None
    return proxies or []


def _export(store: Store, settings: Settings, folder: Path) -> None:
    from beff.web.static_export import export_list  # noqa: PLC0415 - see _run

    count = export_list(store, settings, folder)
    print(f"{folder / 'index.html'}: {count} files")


def _run(store: Store, settings: Settings, host: str, port: int, proxies: list[str]) -> None:
    # Loading the web framework takes longer than most commands need altogether.
    import uvicorn  # noqa: PLC0415

    from beff.web.app import create_app  # noqa: PLC0415
    from beff.web.connections import BoundedProtocol  # noqa: PLC0415

    print(f"the list is at http://{host}:{port}/ until you press Ctrl-C", flush=True)
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(store, settings),
            host=host,
            port=port,
            log_level="warning",
            server_header=False,
            http=BoundedProtocol,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=proxies,
            timeout_keep_alive=10,
        )
    )
    try:
        server.run()
    except SystemExit:  # how the server says that it could not listen
        raise BeffError(
            f"cannot listen on {host} port {port}; choose another with --port"
        ) from None
