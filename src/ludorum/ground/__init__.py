"""From rules to a ground program."""
