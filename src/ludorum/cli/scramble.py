"""`ludorum scramble`: the same game in other words."""

from __future__ import annotations

from ludorum import gdl, languages
from ludorum.cli.arguments import GameArgument, Json, Seed, find_rules
from ludorum.cli.output import print_json


def scramble(game: GameArgument, seed: Seed = 0, json: Json = False) -> None:
    """Rename everything but the keywords, as competitions do."""
    source = find_rules(game)
    scrambled = gdl.to_kif(gdl.scramble(languages.read(source), seed=seed))
    if json:
        print_json({"game": source.name, "seed": seed, "rules": scrambled})
    else:
        print(scrambled.rstrip("\n"))
