"""What is sent to a seat of a game with secrets, seen on the wire."""

from __future__ import annotations

import pytest
from table import Table, reached, turn

pytestmark = pytest.mark.slow

GAME = "phantomtictactoe"


def sent(table: Table, match: str, count: int, *roles: str) -> list[str]:
    """The bytes of the first events of a stream."""
    found = []
    for _, line, _ in table.events(match, *roles):
        found.append(line)
        if len(found) == count:
            return found
    return found


def test_a_seat_is_never_sent_the_others_marks(table: Table) -> None:
    match = table.begin(game=GAME, seats="all")
    first, second = table.look(match)["roles"][:2]
    steps = [(first, 0), (second, 1), (first, 2), (second, 3)]
    made: dict[str, list[str]] = {first: [], second: []}
    for role, step in steps:
        told = table.wait(match, turn(step, role), role)
        # Everybody knows the initial state, and nobody any other.
        assert told["is_secret"] == (step > 0)
        ways = (told["view"] or told["own"][role])["moves"][role]["list"]
        # The first takes moves from the front, the second from the back, so that none is tried twice.
        move = ways[0]["move"] if role == first else ways[-1]["move"]
        table.move(match, role, move)
        made[role].append(move)
        table.wait(match, reached(step + 1), role)
    for role, other in ((first, second), (second, first)):
        (line,) = sent(table, match, 1, role)
        for move in made[role]:
            assert f'"{role}":"{move}"' in line
        described = table.look(match, role)
        assert set(described["own"]) == {role}
        assert described["view"] is None
        assert all(set(joint) == {role} for joint in described["moves"])
        assert f'"{other}":"(' not in line
        # Of the other's marks no cell is certain: what is drawn for sure is one's own.
        view = described["own"][role]
        certain = [content["words"] for board in view["scene"]["boards"] for cell in board["cells"]
                   for content in cell["contents"]]
        assert len([words for words in certain if words not in ("b", "blank")]) == len(made[role])
        assert table.ask(match, "look", role, step=2, role=other).status_code == 403
        for verb in ("search", "review", "fork", "undo"):
            assert table.ask(match, verb, role, step=1).status_code in (403, 409)
    (line,) = sent(table, match, 1, "nobody")
    assert '"view":null' in line
    assert '"own":{}' in line
    assert "(mark" not in line
    assert table.http.get(f"/api/match/{match}/record").status_code == 403


def test_after_the_match_all_is_told(table: Table) -> None:
    match = table.begin(game=GAME, seats="all")
    first = table.look(match)["roles"][0]
    assert table.ask(match, "resign", role=first).status_code == 200
    told = table.look(match, "nobody")
    assert not told["is_secret"]
    assert table.http.get(f"/api/match/{match}/record").status_code == 200
    assert table.ask(match, "look", "nobody", step=0).json()["views"][0]["scene"] is not None


def test_chance_that_everybody_sees_is_no_secret(table: Table) -> None:
    match = table.begin(game="pig", seats="all")
    told = table.look(match, "nobody")
    assert told["hides"]
    assert not told["is_secret"]
    assert told["view"] is not None
