"""What the verbs promise: their JSON, their exit status, and one line when they fail."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludorum import Game, gdl, library
from ludorum.cli.app import app
from ludorum.match.trace import TraceComparison

Run = Callable[..., Any]

VERBS = [command.callback.__name__ for command in app.registered_commands if command.callback]


def test_without_a_verb_it_explains_itself(run: Run) -> None:
    ended = run()
    assert ended.status == 0
    assert all(verb in ended.out for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_and_takes_json(run: Run, verb: str) -> None:
    ended = run(verb, "--help")
    assert ended.status == 0
    assert "--json" in ended.out


def test_it_tells_its_version(run: Run) -> None:
    ended = run("--version")
    assert ended.status == 0
    assert re.fullmatch(r"ludorum \d\S*, python 3\S*\n", ended.out)


def test_what_a_rulesheet_says_is_shown_as_it_is_written(run: Run) -> None:
    assert ":x: stands alone" in run("check", "-", given="(role me) :x:").out


@pytest.mark.parametrize("content", ["[]", "{}", "3", '{"roles": []}'])
def test_json_that_is_no_trace_is_said_to_be_none(run: Run, tmp_path: Path, content: str) -> None:
    (tmp_path / "odd.json").write_text(content)
    ended = run("replay", "tictactoe", tmp_path / "odd.json")
    assert ended.status == 1
    assert "is neither a match record nor a trace" in ended.err


@pytest.mark.parametrize("arguments", [
    ["frobnicate"], ["check"], ["check", "tictactoe", "--frob"],
    ["perft", "tictactoe"], ["perft", "tictactoe", "0"], ["perft", "tictactoe", "many"],
    ["info", "tictactoe", "--engine", "steam"], ["bench", "tictactoe", "--lanes", "7"],
    ["export", "tictactoe", "--to", "fortran"], ["export", "tictactoe"],
])
def test_misuse_ends_with_2(run: Run, arguments: list[str]) -> None:
    assert run(*arguments).status == 2


@pytest.mark.parametrize("verb", [["check"], ["info"], ["bench"], ["perft"], ["scramble"], ["play"]])
def test_an_unknown_game_is_one_line_and_1(run: Run, verb: list[str]) -> None:
    ended = run(*verb, "tictactoo", *(["2"] if verb == ["perft"] else []))
    assert ended.status == 1
    assert ended.out == ""
    assert ended.err.count("\n") == 1
    assert "did you mean tictactoe" in ended.err


def test_a_failure_is_an_object_too(run: Run) -> None:
    ended = run("info", "tictactoo", "--json")
    assert ended.status == 1
    assert ended.json["error"] == "UnknownGame"
    assert "tictactoe" in ended.json["message"]


def test_a_mistake_of_ours_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDORUM_LANES", "7")
    ended = run("bench", "tictactoe", "--seconds", "0.02")
    assert ended.status == 1
    assert ended.err.count("\n") == 1
    assert "LUDORUM_LANES" in ended.err


def test_games_lists_the_library(run: Run) -> None:
    listed = run("games", "--json").json["games"]
    assert [game["name"] for game in listed] == library.names()
    tictactoe = next(game for game in listed if game["name"] == "tictactoe")
    assert tictactoe["roles"] == ["xplayer", "oplayer"]
    assert tictactoe["kind"] == "turn-taking"
    assert tictactoe["title"]
    assert "connectfour" in run("games").out


def test_a_good_rulesheet_passes_the_check(run: Run, cul_de_sac_rules: str) -> None:
    assert run("check", "tictactoe").status == 0
    ended = run("check", "-", "--json", given=cul_de_sac_rules)
    assert ended.status == 0
    assert all(finding["level"] == "warning" for finding in ended.json["diagnostics"])


def test_errors_are_shown_where_they_are(run: Run, tmp_path: Path, cul_de_sac_rules: str) -> None:
    path = tmp_path / "bad.kif"
    path.write_text(cul_de_sac_rules + "\n(<= (next (at ?x)) (does walker ?m)")
    ended = run("check", path, "--json")
    assert ended.status == 1
    finding = next(finding for finding in ended.json["diagnostics"] if finding["level"] == "error")
    assert set(finding) == {"code", "level", "line", "column", "message", "help"}
    assert finding["line"] == cul_de_sac_rules.count("\n") + 2
    assert finding["column"] == 1
    shown = run("check", path)
    assert shown.status == 1
    assert f"error[{finding['code']}]" in shown.out
    assert shown.err.count("\n") == 1


def test_other_verbs_show_the_errors_too(run: Run) -> None:
    ended = run("info", "-", given="(role a")
    assert ended.status == 1
    assert "error[" in ended.err
    assert ended.err.splitlines()[-1] == "ludorum: the rules have 1 error"


def test_info_says_what_a_game_is_and_how_it_runs(run: Run) -> None:
    told = run("info", "tictactoe", "--json").json
    assert told["roles"] == ["xplayer", "oplayer"]
    # Nine cells of three contents and two to have the turn; nine marks and a noop for each.
    assert told["fluents"] == 29
    assert told["moves"] == 20
    assert told["engine"] == "circuit"
    assert told["why"]
    assert told["gates"] > 0
    assert told["load_seconds"] > 0
    assert {"name", "gates_before", "gates_after", "seconds"} <= set(told["passes"][0])
    assert "circuit" in run("info", "tictactoe").out


def test_info_by_the_reference_engine_knows_no_gates(run: Run) -> None:
    told = run("info", "tictactoe", "--engine", "reference", "--json").json
    assert told["engine"] == "reference"
    assert told["why"] == "it was asked for"
    assert told["gates"] is None
    assert told["passes"] == []


# What three players name may be any of 729 million rows, of which every step has but one.
ONE_EXPLODES = "(role a) (role b) (role c)" + "".join(f"(number {i})" for i in range(30)) + """
(init started)
(<= (legal ?role (name ?x ?y)) (role ?role) (number ?x) (number ?y))
(<= (row ?u ?v ?w ?x ?y ?z) (does a (name ?u ?v)) (does b (name ?w ?x)) (does c (name ?y ?z)))
(<= (next (named ?u ?v ?w ?x ?y ?z)) (row ?u ?v ?w ?x ?y ?z))
(<= terminal (true (named ?u ?v ?w ?x ?y ?z)))
(<= (goal ?role 50) (role ?role))
"""


def test_info_names_the_relation_that_keeps_a_game_from_being_grounded(run: Run) -> None:
    shown = " ".join(run("info", "-", "--seconds", "5", given=ONE_EXPLODES).out.split())
    assert "grounding passed its budget of 5 s" in shown
    assert re.search(r"It does not ground because of row/6 \(at least [\d,]+ ground rules\)", shown)


def test_perft_counts_a_number_a_depth(run: Run) -> None:
    assert run("perft", "tictactoe", "4", "--json").json["nodes"] == [9, 72, 504, 3024]
    assert run("perft", "tictactoe", "4").out.split()[-1] == "3,024"


def test_bench_reports_speed_lengths_and_goals(run: Run) -> None:
    ended = run("bench", "tictactoe", "nim", "--seconds", "0.05", "--seed", "7", "--json")
    assert ended.status == 0
    results = ended.json["results"]
    assert [result["game"] for result in results] == ["tictactoe", "nim"]
    for result in results:
        assert {"game", "engine", "lanes", "playouts_per_second", "states_per_second",
                "mean_length", "mean_goals", "finished", "stuck", "cut", "undefined_goals",
                "load_seconds", "peak_memory_mb"} <= set(result)
        assert result["stuck"] == result["cut"] == result["undefined_goals"] == 0
        assert sum(result["mean_goals"].values()) == pytest.approx(100)
        steps = result["states_per_second"] / result["playouts_per_second"]
        assert steps == pytest.approx(result["mean_length"])
    assert 5 <= results[0]["mean_length"] <= 9


def test_bench_goes_on_after_a_game_that_fails(run: Run) -> None:
    ended = run("bench", "tictactoo", "tictactoe", "--seconds", "0.02", "--json")
    assert ended.status == 1
    assert [result["game"] for result in ended.json["results"]] == ["tictactoe"]
    assert ended.err.count("\n") == 1


def test_bench_takes_no_slow_start_for_the_speed_of_a_game(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    playouts = Game.playouts
    made: list[int] = []
    now = 0.0

    def slow_at_first(game: Game, n: int, **options: Any) -> Any:
        nonlocal now
        # A clock that goes by work: ten microseconds a playout, and a start that takes long.
        now += n * 1e-5 + (0 if made else 0.2)
        made.append(n)
        return playouts(game, min(n, 64), **options)

    monkeypatch.setattr(Game, "playouts", slow_at_first)
    monkeypatch.setattr("ludorum.cli.bench.time.perf_counter", lambda: now)
    assert run("bench", "tictactoe", "--seconds", "0.1", "--json").status == 0
    # A call takes about a tenth of a second, as was asked for.
    assert made[-1] == pytest.approx(10_000, rel=0.05)


def test_the_signature_counts_work_and_is_the_same_again(run: Run) -> None:
    first, second = (run("bench", "--signature", "--json").json for _ in range(2))
    assert first == second
    assert first["counts"]["eightpuzzle"]["states"] > first["counts"]["tictactoe"]["states"] >= 5 * 4096
    assert "terminates: proved" in first["counts"]["tictactoe"]["verdicts"]


def test_bench_measures_the_reference_engine_too(run: Run) -> None:
    ended = run("bench", "matchingpennies", "--engine", "reference", "--seconds", "0.02", "--json")
    result, = ended.json["results"]
    assert result["engine"] == "reference"
    assert result["lanes"] is None
    assert result["finished"] >= 1


def test_replay_compares_a_trace(run: Run, tmp_path: Path, cul_de_sac_rules: str) -> None:
    rules = tmp_path / "cul-de-sac.kif"
    rules.write_text(cul_de_sac_rules)
    walk = [{"true": ["(at start)"], "terminal": False, "legal": {"walker": ["go", "stay"]}, "joint": ["go"]},
            {"true": ["(at end)"], "terminal": False, "legal": {"walker": []}}]
    trace = tmp_path / "trace.json.gz"
    trace.write_bytes(gzip.compress(json.dumps({"roles": ["walker"], "walks": [walk]}).encode()))
    ended = run("replay", rules, trace, "--json")
    assert ended.status == 0
    assert ended.json["states"] == 2
    assert ended.json["mismatches"] == []

    trace.write_text(json.dumps({"roles": ["walker"], "walks": [walk[:1]]}))
    assert run("replay", rules, trace).out == "cul-de-sac: 1 state compared, 0 mismatches\n"

    walk[1]["terminal"] = True
    trace.write_text(json.dumps({"roles": ["walker"], "walks": [walk]}))
    ended = run("replay", rules, trace, "--json")
    assert ended.status == 1
    mismatch, = ended.json["mismatches"]
    assert mismatch["what"] == "terminal"
    assert ended.err == "ludorum: cul-de-sac: 2 states compared, 1 mismatch\n"


@pytest.mark.parametrize("walks", [[], [[], []]])
def test_a_trace_without_states_proves_nothing(run: Run, tmp_path: Path, walks: list[list[object]]) -> None:
    (tmp_path / "trace.json").write_text(json.dumps({"roles": ["xplayer", "oplayer"], "walks": walks}))
    ended = run("replay", "tictactoe", tmp_path / "trace.json")
    assert ended.status == 1
    assert ended.out == ""
    assert ended.err == f"ludorum: tictactoe: there is nothing to compare, {tmp_path / 'trace.json'} has no states\n"
    ended = run("replay", "tictactoe", tmp_path / "trace.json", "--json")
    assert (ended.status, ended.json["states"]) == (1, 0)


def test_an_engine_that_gives_up_in_the_middle_of_a_trace_is_told(
        run: Run, tmp_path: Path, cul_de_sac_rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trace.json").write_text('{"roles": [], "walks": []}')
    monkeypatch.setattr("ludorum.cli.replay.compare_trace", lambda *_: TraceComparison(7, (), is_complete=False))
    ended = run("replay", cul_de_sac_rules, tmp_path / "trace.json")
    assert ended.status == 0
    assert "7 states compared, 0 mismatches; stopped before the end" in ended.out


def test_a_record_that_cannot_be_read_is_one_line_and_1(run: Run, tmp_path: Path) -> None:
    ended = run("replay", "tictactoe", tmp_path / "none.json")
    assert ended.status == 1
    assert ended.err.count("\n") == 1


def test_a_scrambled_game_is_the_same_game_in_other_words(run: Run) -> None:
    scrambled = run("scramble", "tictactoe", "--seed", "3").out
    assert "mark" not in scrambled
    assert run("scramble", "tictactoe", "--seed", "3").out == scrambled
    assert run("scramble", "tictactoe", "--seed", "4").out != scrambled
    assert run("perft", "-", "3", "--json", given=scrambled).json["nodes"] == [9, 72, 504]
    assert run("scramble", "tictactoe", "--seed", "3", "--json").json["rules"].strip() == scrambled.strip()


@pytest.mark.parametrize("syntax", ["kif", "infix"])
def test_an_exported_rulesheet_reads_back(run: Run, syntax: str) -> None:
    exported = run("export", "nim", "--to", syntax).out
    entry = library.entry("nim")
    assert gdl.read(exported).rules == gdl.read(entry.text).rules


def test_a_game_is_exported_for_clingo_graphviz_and_hardware_tools(run: Run) -> None:
    assert ":-" in run("export", "nim", "--to", "asp").out
    assert run("export", "nim", "--to", "dot").out.startswith("digraph")
    assert run("export", "nim", "--to", "aiger").out.startswith("aag ")
    assert run("export", "nim", "--to", "dot", "--json").json["text"].startswith("digraph")


def test_a_market_is_exported_as_it_was_written_and_a_game_is_not(run: Run) -> None:
    assert run("export", "vickrey", "--to", "msl").out == library.entry("vickrey").text
    refused = run("export", "nim", "--to", "msl")
    assert (refused.status, "nim.kif is no market" in refused.err) == (1, True)


def test_without_a_terminal_a_demonstration_is_played(run: Run) -> None:
    ended = run("play", "tictactoe", "--seconds", "0.01")
    assert ended.status == 0
    assert "  1 2 3" in ended.out
    assert "xplayer plays (mark" in ended.out
    assert "the goals are: xplayer" in ended.out


def test_a_demonstration_as_an_object(run: Run) -> None:
    told = run("play", "tictactoe", "--seconds", "0.01", "--json").json
    assert set(told["goals"]) == {"xplayer", "oplayer"}
    assert 5 <= len(told["moves"]) <= 9


def test_a_game_of_chance_alone_is_watched(run: Run) -> None:
    rules = ("(role random) (legal random heads) (legal random tails) (<= (next thrown) (does random ?side)) "
             "(<= terminal (true thrown)) (goal random 50)")
    assert run("play", rules, "--json").json["goals"] == {"random": 50}
    assert run("match", rules).status == 0
    assert "seats for nobody" in run("match", rules, "legal").err


def test_a_role_that_the_game_lacks_is_one_line_and_1(run: Run) -> None:
    ended = run("play", "tictactoe", "--role", "white")
    assert ended.status == 1
    assert "its roles are xplayer, oplayer" in ended.err
