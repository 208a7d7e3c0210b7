"""Games written for NuSMV, MCK and MCMAS: carried out by readers of our own, they are the games."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from model_readers import Machine, State, read_ispl, read_mck, read_smv
from secret_games import random_game

import ludorum
from ludorum.errors import TooLarge
from ludorum.game import Game
from ludorum.verify import prove
from ludorum.verify.export import to_ispl, to_mck, to_smv
from ludorum.verify.export.model import Model

LANGUAGES: dict[str, tuple[Callable[..., str], Callable[[str], Machine]]] = {
    "smv": (to_smv, read_smv), "mck": (to_mck, read_mck), "ispl": (to_ispl, read_ispl)}


def agree(game: Game, language: str, most: int) -> int:
    """Carries a model out beside the game, from state to state; returns how many steps were compared."""
    write, read = LANGUAGES[language]
    model, machine = Model(game.circuit), read(write(game.circuit, game.name))
    roles = list(map(str, game.roles))
    waiting: list[tuple[ludorum.State, State]] = [(game.initial, machine.initial)]
    seen, compared = {game.initial}, 0
    while waiting and compared < most:
        state, there = waiting.pop(0)
        for fluent, name in zip(model.circuit.fluents, model.fluents, strict=True):
            assert there[name] == (fluent in state.fluents), f"{fluent} in {state}"
        assert machine.holds("terminal", there) == state.is_terminal
        legal = [state.legal(role) for role in roles]
        over = state.is_terminal or not all(map(len, legal))
        assert machine.holds("over", there) == over
        for seat, role in enumerate(model.roles):
            for move, name, atom in zip(model.circuit.moves[seat], model.moves[seat], model.legal[seat], strict=True):
                assert machine.holds(atom, there) == (move in legal[seat])
                assert machine.may(there, role, name) == (move in legal[seat] and not over), f"{role} {move} in {state}"
            assert machine.may(there, role, "stop") == over
            for name, value in model.goals[seat]:
                assert machine.holds(name, there) == (state.goals[roles[seat]] == value)
        if over:
            later = machine.step(there, dict.fromkeys(model.roles, "stop"))
            assert all(later[name] == there[name] for name in model.fluents)
            assert not any(later[name] for names in model.percepts for name in names)
            continue
        for joint in product(*legal):
            after = state.after(joint)
            names = {role: model.moves[seat][model.circuit.moves[seat].index(joint[seat].term)]
                     for seat, role in enumerate(model.roles)}
            later = machine.step(there, names)
            compared += 1
            for seat, of_role in enumerate(model.percepts):
                told = after.percepts[roles[seat]]
                for (percept, _), name in zip(model.circuit.percepts[seat], of_role, strict=True):
                    assert later[name] == (percept in told), f"{percept} after {joint}"
            if after not in seen:
                seen.add(after)
                waiting.append((after, later))
    return compared


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "most"), [("montyhall", 1_000), ("explodingbomb", 1_000), ("tictactoe", 30),
                                            ("spyvsspy", 1_000)])
def test_models_are_the_games(name: str, most: int, language: str) -> None:
    assert agree(ludorum.load(name), language, most) >= 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_models_of_random_games_are_the_games(language: str) -> None:
    # Some of them end early, in some a role can be stuck.
    for seed in range(8):
        agree(ludorum.load(random_game(seed)), language, 40)


def test_the_six_properties_are_asked_in_the_words_of_the_tools() -> None:
    circuit = ludorum.load("montyhall").circuit
    smv, mck, ispl = (read(write(circuit)).specifications for write, read in LANGUAGES.values())
    assert smv == ["AF terminal", "AG (terminal | !over)", "EF goal_candidate_100"]
    assert "G (terminal => Knows Player_candidate terminal)" in mck
    assert len(mck) == 6
    assert "AG (spoilt or !terminal or K(Player_candidate, spoilt or terminal))" in ispl


def test_names_that_look_alike_are_told_apart() -> None:
    rules = ("(role a) (init (p 1 2)) (init (p_1 2)) (legal a (m 1)) (legal a m_1) (<= (next (p 1 2)) (does a m_1))"
             "(<= (next (p_1 2)) (does a (m 1))) (<= terminal (not (true (p 1 2)))) (goal a 100)")
    game = ludorum.load(rules)
    assert len(set(Model(game.circuit).fluents)) == 2
    for language in LANGUAGES:
        # Two moves from each of the two states where the match goes on.
        assert agree(game, language, 10) == 4


def test_conditions_too_long_for_a_language_without_definitions_are_refused() -> None:
    with pytest.raises(TooLarge, match="without definitions"):
        to_ispl(ludorum.load("montyhall").circuit, most_letters=10_000)


@pytest.mark.skipif(shutil.which("NuSMV") is None, reason="NuSMV is not installed")
@pytest.mark.parametrize("name", ["montyhall", "muddychildren", "explodingbomb"])
def test_nusmv_finds_what_the_engines_find(name: str, tmp_path: Path) -> None:
    game = ludorum.load(name)
    (tmp_path / "game.smv").write_text(to_smv(game.circuit, name), encoding="utf-8")
    told = subprocess.run(["NuSMV", str(tmp_path / "game.smv")], capture_output=True, text=True, check=True).stdout
    expected = [prove(game, formula)[0].verdict == "proved" for formula in
                ("AF terminal", "playable", *(f"EF (goal {role} 100)" for role in game.roles if role != "random"))]
    assert [line.endswith("true") for line in told.splitlines() if line.startswith("-- specification")] == expected
