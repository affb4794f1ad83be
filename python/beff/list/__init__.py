"""A list: a folder of systems and their results, kept in git, of which a site is built."""
