"""`ludorum games`: what the library holds."""

from __future__ import annotations

from ludorum import library
from ludorum.cli.arguments import Json
from ludorum.cli.output import console, print_json, table
from ludorum.library import Entry


def games(json: Json = False) -> None:
    """List the games of the library."""
    entries = library.catalogue()
    if json:
        print_json({"games": [_describe(entry) for entry in entries]})
        return
    listed = table("name", "title", "kind", "players", left=3)
    for entry in entries:
        listed.add_row(entry.name, entry.title, entry.kind, str(entry.players))
    console().print(listed)


def _describe(entry: Entry) -> dict[str, object]:
    roles = entry.rules.roles
    return {"name": entry.name, "title": entry.title, "roles": list(map(str, roles)), "kind": entry.kind,
            "players": entry.players, "description": entry.description, "tags": list(entry.tags)}
