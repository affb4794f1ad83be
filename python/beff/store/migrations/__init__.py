"""The history of the tables: Alembic's scripts, and the one way to bring a database up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from beff.store.errors import StoreError

_FOLDER = Path(__file__).parent


def configuration(connection: Connection) -> Config:
    """Return Alembic's configuration for an open connection."""
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection, revision: str = "head") -> None:
    """Bring the tables to a revision, in the connection's transaction.

    Raises StoreError for a database that a newer version of beff has changed.
    """
    config = configuration(connection)
    scripts = ScriptDirectory.from_config(config)
    present = MigrationContext.configure(connection).get_current_revision()
    if present == scripts.get_current_head():
        return
    if present is not None and present not in {
        script.revision for script in scripts.walk_revisions()
    }:
        raise StoreError(
            f"the database has tables of a newer version of beff ({present}); use that version"
        )
    command.upgrade(config, revision)
