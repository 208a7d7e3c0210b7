"""Rulesheets that other people wrote, from the file to the game, and what another prover wrote down about them."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludorum
from collection import GAMES, ORACLE
from ludorum import Game
from ludorum.errors import InvalidRules
from ludorum.match.trace import compare_trace, read_trace

pytestmark = pytest.mark.corpus

# Traces of small games; names in some of them have capitals.
TRACED = [
    "ggp.org/3pConnectFour", "ggp.org/blocksWorldParallel", "ggp.org/breakthroughSmall", "ggp.org/checkersTiny",
    "ggp.org/chineseCheckers1", "ggp.org/connectFour", "ggp.org/dotsAndBoxes", "ggp.org/ghostMaze2p",
    "ggp.org/hodgepodge", "ggp.org/knightsTour", "ggp.org/lightsOnParallel", "ggp.org/nim4", "ggp.org/pacman2p",
    "ggp.org/pentago", "ggp.org/rubiksCube", "ggp.org/sheepAndWolf", "ggp.org/sudokuGrade1", "ggp.org/ticTacHeaven",
    "ggp.org/wallmaze", "ggp.org/zhadu",
    "dresden/8puzzle", "dresden/Queens", "dresden/maze.comp2006_3357334406", "dresden/numbertictactoe",
    "gdl2/latenttictactoe", "gdl2/meier-2", "gdl2/montyhall-2", "gdl2/transit",
]

# Which rulesheets cannot be played, and one reason each: read off the files.
INVALID = {
    "broken/Tiger_vs_Dogs": "missing-terminal",
    "broken/duplicatestatelarge": "unclosed-parenthesis",
    "broken/proptest_variables": "unclosed-parenthesis",
    "broken/ruledepthquadratic": "unclosed-parenthesis",
    "broken/statespacelarge": "unclosed-parenthesis",
    "broken/tactactoematch1": "unopened-parenthesis",
    "broken/ticTacToe2": "unclosed-parenthesis",
    "broken/tictactoeChord": "unclosed-parenthesis",
    "broken/tiger_vs_dogs-2": "stray-symbol",
    # These two are drawings for Graphviz.
    "fixtures/PropNetFile1": "stray-symbol",
    "fixtures/PropNetFile2": "stray-symbol",
    "fixtures/axioms1": "arity-conflict",
    "fixtures/axioms3": "malformed-rule",
    "fixtures/chapter10": "keyword-arity",
    "fixtures/init_depen": "init-depends-on-state",
    "fixtures/legal_depen": "depends-on-moves",
    "fixtures/mularity": "arity-conflict",
    "fixtures/proptest": "depends-on-moves",
    "fixtures/test_invalid_sentence_arities_differ": "arity-conflict",
}


def rulesheets(folder: str) -> list[str]:
    return sorted(f"{folder}/{path.stem}" for path in (GAMES / folder).glob("*.kif"))


def load(name: str) -> Game:
    return ludorum.load(GAMES / f"{name}.kif", seconds=30)


@pytest.mark.parametrize("name", TRACED)
def test_a_trace_of_another_prover_replays(name: str) -> None:
    game = load(name)
    assert game.engine == "circuit"
    comparison = compare_trace(game, read_trace(ORACLE / f"{name}.json.gz"))
    assert comparison.is_complete
    assert comparison.states > 0
    assert not comparison.mismatches, "\n".join(map(str, comparison.mismatches))


@pytest.mark.parametrize("name", [name for folder in ("fixtures", "broken") for name in rulesheets(folder)])
def test_a_rulesheet_is_a_game_or_says_what_is_wrong(name: str) -> None:
    if name in INVALID:
        with pytest.raises(InvalidRules) as refused:
            load(name)
        assert INVALID[name] in {found.code for found in refused.value.diagnostics if found.level == "error"}
        # It points into the file.
        assert f"{Path(name).name}.kif:" in str(refused.value)
    else:
        # Its liberties are counted with lists of visited places, of which there are too many to ground.
        game = ludorum.load(GAMES / f"{name}.kif", seconds=5) if name == "fixtures/axioms2" else load(name)
        assert game.engine == ("relations" if name == "fixtures/axioms2" else "circuit")
        assert len(game.playouts(64, seed=1, max_steps=50)) == 64


# Tiny games whose authors wrote them so that whoever understands the rules gets 100 at the end.
@pytest.mark.parametrize("case", ["1a", "2a", "2c", "3a", "3b", "3c", "3d", "3e", "3f", "4a", "5a", "5b", "5c", "5d",
                                  "5e", "5f"])
def test_a_tiny_game_ends_as_its_authors_meant(case: str) -> None:
    game = load(f"fixtures/test_case_{case}")
    played = game.playouts(64, seed=1)
    assert played.count(ludorum.Outcome.FINISHED) == 64
    assert played.mean_goals[game.roles[0]] == 100
