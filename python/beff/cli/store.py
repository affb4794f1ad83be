"""`beff store`: its commands in the order in which --help lists them."""

from collections.abc import Callable

import typer

from beff.cli import store_list, store_results

store_app = typer.Typer(
    name="store",
    help="Keep results in a database, and administrate the list that beff serve shows.",
)
_COMMANDS: dict[str, Callable[..., int]] = {
    "add": store_results.add,
    "list": store_results.list_entries,
    "show": store_results.show,
    "export": store_results.export,
    "remove": store_results.remove,
    "trend": store_results.trend,
    "waiting": store_list.waiting,
    "refuse": store_list.refuse,
    "edition": store_list.edition,
    "give": store_list.give_system,
    "publish": store_list.publish,
    "expect": store_results.expect,
    "tokens": store_list.tokens,
    "log": store_list.log,
}
for _name, _command in _COMMANDS.items():
    store_app.command(_name)(_command)
