"""The page of a tournament: who against whom, and matches to step through."""

from __future__ import annotations

import json
import re
from pathlib import Path

import ludorum
from ludorum.match import tournament
from ludorum.match.archive import Archive
from ludorum.match.crosstable import encounters
from ludorum.match.page import page
from ludorum.match.plan import TournamentPlan
from ludorum.match.steps import stepped
from ludorum.match.tournament import Standings


def played(tmp_path: Path, **more: object) -> Standings:
    listed = "".join(f"{key} = {json.dumps(value)}\n" for key, value in more.items())
    path = tmp_path / "cup.toml"
    path.write_text(f'games = ["tictactoe"]\n{listed}[players]\nanna = "random"\nben = "legal"\n')
    with Archive() as archive:
        return tournament.run(TournamentPlan.read(path), archive, workers=0)


def test_encounters_count_every_match_of_two_from_both_sides(tmp_path: Path) -> None:
    standings = played(tmp_path, repetitions=4)
    met = encounters(standings.records)
    assert set(met) == {("anna", "ben"), ("ben", "anna")}
    anna, ben = met["anna", "ben"], met["ben", "anna"]
    assert (anna.won, anna.drawn, anna.lost) == (ben.lost, ben.drawn, ben.won)
    assert anna.won + anna.drawn + anna.lost == len(standings.records) == 8
    assert anna.score + ben.score == 1
    won = sum(record.goals[role] == 100 for record in standings.records for role, who in record.players.items()
              if who == "anna")
    assert anna.won == won
    assert f">{anna}<" in page(standings)


def test_every_state_of_a_match_can_be_stepped_to(tmp_path: Path) -> None:
    standings = played(tmp_path, repetitions=1)
    written = re.search(r'(?s)<script type="application/json" id="steps">(.*?)</script>', page(standings))
    assert written
    data = json.loads(written[1])
    game = ludorum.load("tictactoe")
    for record, match in zip(standings.records, data["matches"], strict=True):
        assert len(match["moves"]) == len(record.moves)
        drawn = [data["pictures"][number] for number in match["states"]]
        assert drawn == [ludorum.draw(game.state(state)) for state in record.states]


def test_a_page_holds_no_more_matches_than_are_quick_to_load(tmp_path: Path) -> None:
    record, *_ = played(tmp_path, repetitions=1).records
    many = stepped([record] * 2000)
    assert 0 < len(many["matches"]) < 2000
    # The same pictures are kept once.
    assert len(many["pictures"]) <= len(record.states)


def test_a_game_that_loads_no_more_is_shown_by_its_fluents(tmp_path: Path) -> None:
    record, *_ = played(tmp_path, repetitions=1).records
    record.rules = ["(role"]
    assert "(cell 1 1 blank)\n(cell 1 2 blank)" in stepped([record])["pictures"][0]
