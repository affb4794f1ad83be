"""What several commands share: options, files, tables and exit codes."""
