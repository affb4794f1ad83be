"""Run by Alembic: migrate on the connection that the caller opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
