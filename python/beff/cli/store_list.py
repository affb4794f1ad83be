"""`beff store`: the commands that administrate the list which `beff serve` shows."""

from typing import Annotated

from beff.cli import exit_codes
from beff.cli.errors import WrongUsageError
from beff.cli.options import DatabaseOption, argument, flag, option
from beff.cli.rich_tables import print_table
from beff.cli.store_results import KeysArgument
from beff.cli.store_tables import log_table, tokens_table, waiting_lines
from beff.store import queries
from beff.store.audit import COMMAND_LINE, notes
from beff.store.changes import publish_entry, refuse_entry
from beff.store.database import default_database, open_store
from beff.store.editions import make_edition
from beff.store.owners import give, share, warnings_of
from beff.store.signers import signers_before
from beff.store.system_record import differences_by
from beff.store.tokens import create_token, revoke_token
from beff.store.tokens import tokens as all_tokens


def waiting(database: DatabaseOption = None) -> int:
    """Show what waits for publication, by whom, and what it would change about its system.

    \b
    Example:
      beff store waiting
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.read() as session:
        found = queries.waiting(session)
        for entry in found:
            signed = signers_before(session, entry.system_id).words(entry.signed_by)
            told = warnings_of(session, entry), differences_by(session, entry), signed
            print("\n".join(waiting_lines(entry, *told)))
        if not found:
            print("nothing waits")
    return exit_codes.OK


def refuse(
    key: Annotated[str, argument("ENTRY", "Number of an entry that waits.")],
    reason: Annotated[str, argument("REASON", "Why; its submitter is told.")],
    database: DatabaseOption = None,
) -> int:
    """Let a submitted result wait no more.

    \b
    Example:
      beff store refuse 17 "which machine is this?"
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.write() as session:
        entry = queries.entry_of(session, key)
        refuse_entry(session, entry, reason)
        said = f"entry {entry.id} of system '{entry.system.name}' is refused"
    print(said)
    return exit_codes.OK


def edition(
    name: Annotated[
        str | None,
        argument("[NAME]", "This month, as 2026-11, or the last; without it, this month."),
    ] = None,
    database: DatabaseOption = None,
) -> int:
    """Keep the list as it is now under an address of its own, for ever.

    \b
    Example:
      beff store edition 2026-11
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.write() as session:
        made = make_edition(session, name).name
    print(f"edition {made} is kept; the list shows it at /editions/{made}")
    return exit_codes.OK


def give_system(
    system: Annotated[str, argument("SYSTEM", "Name of the system.")],
    token: Annotated[str, argument("TOKEN", "Name of the token of its new owner.")],
    share_only: Annotated[
        bool, flag("--share", "Leave the owner, and let this one add results as well.")
    ] = False,
    database: DatabaseOption = None,
) -> int:
    """Say whose a system is: results of its owner are published under its name.

    \b
    Example:
      beff store give "Example cluster" "Example University"
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.write() as session:
        found = queries.existing_system(session, system)
        if share_only:
            share(session, found, token, COMMAND_LINE)
        else:
            give(session, found, token)
    print(f"system '{system}' is {'shared with' if share_only else 'of'} '{token}'")
    return exit_codes.OK


def publish(
    keys: KeysArgument,
    withdraw: Annotated[
        bool, flag("--withdraw", "Take them out of the public list again.")
    ] = False,
    database: DatabaseOption = None,
) -> int:
    """Show submitted results in the public list; they now tell what they know of their systems.

    What that changes is printed; beff store waiting shows it before.

    \b
    Example:
      beff store publish 17 18
    """  # noqa: D301 - \b keeps the lines of the example apart
    said = []
    with open_store(database or default_database()) as store, store.write() as session:
        for entry in [queries.entry_of(session, key) for key in keys]:
            changed = publish_entry(session, entry, published=not withdraw)
            word = "withdrawn from" if withdraw else "published in"
            said.append(f"entry {entry.id} of system '{entry.system.name}' is {word} the list")
            said += [f"system '{entry.system.name}': {difference}" for difference in changed]
    print("\n".join(said))
    return exit_codes.OK


def tokens(
    new: Annotated[
        str | None, option("--new", "NAME", "Make a token and print it; it is never shown again.")
    ] = None,
    operator: Annotated[
        bool, flag("--operator", "The new token is for the operator's page, not for submitting.")
    ] = False,
    revoke: Annotated[str | None, option("--revoke", "NAME", "Make a token useless.")] = None,
    database: DatabaseOption = None,
) -> int:
    """List, make or revoke the tokens that allow to submit results, or to decide about them.

    \b
    Example:
      beff store tokens --new "Example University"
    """  # noqa: D301 - \b keeps the lines of the example apart
    if new is not None and revoke is not None:
        raise WrongUsageError("store tokens: give --new or --revoke, not both")
    with open_store(database or default_database()) as store:
        if new is not None:
            with store.write() as session:
                made = create_token(session, new, operator=operator)
            print(made)
        elif revoke is not None:
            with store.write() as session:
                revoke_token(session, revoke)
            print(f"token '{revoke}' is revoked")
        else:
            with store.read() as session:
                print_table(tokens_table(all_tokens(session)))
    return exit_codes.OK


def log(
    most: Annotated[int, option("--most", "N", "How many of the last changes.", min=1)] = 50,
    database: DatabaseOption = None,
) -> int:
    """Show the last changes of the store: when, who, what. The log itself cannot be changed.

    \b
    Example:
      beff store log --most 10
    """  # noqa: D301 - \b keeps the lines of the example apart
    with open_store(database or default_database()) as store, store.read() as session:
        print_table(log_table(notes(session, most)))
    return exit_codes.OK
