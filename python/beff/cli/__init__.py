"""The command `beff`: one file per subcommand."""
