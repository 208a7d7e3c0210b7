"""What referees said in real competitions is understood, and what we say is what they said."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.errors import InvalidMessage
from ludorum.gdl import parse_term
from ludorum.move import Move
from ludorum.protocol import (
    Abort,
    Info,
    Message,
    Moves,
    Percepts,
    Play,
    Preview,
    Start,
    Status,
    Stop,
    parse_message,
    parse_move,
    parse_status,
)

NOOP, MARK = parse_term("noop"), parse_term("(mark 2 2)")

#: As the servers of the field wrote them: blanks inside the parentheses, everything in capitals, and so on.
AS_SENT = [
    ("( INFO )", Info()),
    ("(info)", Info()),
    ("( PREVIEW ((role x) (init (cell 1)) ) 10 )", Preview("(role x) (init (cell 1))", 10)),
    ("( START Base.ticTacToe.1394 xplayer ((role xplayer) (role oplayer) ) 30 15)",
     Start("Base.ticTacToe.1394", "xplayer", "(role xplayer) (role oplayer)", 30, 15)),
    ("(START MATCH.3316980891 ROBOT ((ROLE ROBOT)\n(INIT (CLEAR A))) 30 30)",
     Start("MATCH.3316980891", "robot", "(ROLE ROBOT)\n(INIT (CLEAR A))", 30, 30)),
    ("(start m1 x ((role x) ; no )) here \n (role y)) 2.5 0.5 something new)",
     Start("m1", "x", "(role x) ; no )) here \n (role y)", 2.5, 0.5)),
    ('(START "m 1" x () 1 1)', None),
    ('(START "m1" x () 1 1)', Start("m1", "x", "", 1, 1)),
    ("(START |m1| x () 1 1)", Start("m1", "x", "", 1, 1)),
    ("( PLAY m1 NIL )", Play("m1")),
    ("(PLAY m1 ())", Play("m1")),
    ("(play m1 nil)", Play("m1")),
    ("( PLAY m1 (noop (mark 2 2) ) )", Play("m1", Moves((NOOP, MARK)))),
    ("(PLAY M1 (NOOP (MARK 2 2)))\n", Play("M1", Moves((NOOP, MARK)))),
    ("\ufeff(PLAY m1 ((noop) ; by white\n (mark 2 2)))", Play("m1", Moves((NOOP, MARK)))),
    ("(PLAY m1 (nil (mark 2 2)))", Play("m1", Moves((parse_term("nil"), MARK)))),
    ("(PLAY m1 noop)", Play("m1", Moves((NOOP,)))),
    ("(PLAY m1 0 NIL NIL)", Play("m1", Percepts(0))),
    ("(PLAY m1 3 (MARK 2 2) ((MARK 2 2) NOOP))", Play("m1", Percepts(3, MARK, frozenset({MARK, NOOP})))),
    ("(PLAY m1 3 noop ())", Play("m1", Percepts(3, NOOP))),
    ("(STOP m1 (noop (mark 2 2)))", Stop("m1", Moves((NOOP, MARK)))),
    ("(STOP m1 NIL)", Stop("m1")),
    ("(STOP m1)", Stop("m1")),
    ("(STOP m1 4 noop (won))", Stop("m1", Percepts(4, NOOP, frozenset({parse_term("won")})))),
    ("( ABORT m1 )", Abort("m1")),
]


@pytest.mark.parametrize(("text", "message"), [case for case in AS_SENT if case[1]], ids=str)
def test_a_message_is_understood_as_servers_send_it(text: str, message: Message) -> None:
    assert parse_message(text) == message


@pytest.mark.parametrize("message", [message for _, message in AS_SENT if message], ids=str)
def test_a_message_that_is_printed_is_read_back(message: Message) -> None:
    assert parse_message(str(message)) == message


@pytest.mark.parametrize(("text", "complaint"), [
    ("", "one list"),
    ("INFO", "one list"),
    ("()", "no message"),
    ("(INFO) (INFO)", "one list"),
    ("(INFO", "never closed"),
    ("(INFO))", "closes nothing"),
    ("(HELLO)", "no message 'HELLO'"),
    ("((INFO))", "no message"),
    ("(INFO 1)", "INFO does not take 1"),
    ("(PLAY m1)", "PLAY does not take 1"),
    ("(PLAY m1 1 NIL)", "PLAY does not take 3"),
    ("(PLAY (m 1) NIL)", "cannot be called"),
    ("(PLAY m1 (?x))", "variables"),
    ("(PLAY m1 (()))", "no list of moves"),
    ("(PLAY m1 first NIL NIL)", "a turn is a number"),
    ("(PLAY m1 99999999999999999999999 NIL NIL)", "a turn is a number"),
    ("(START m1 x ((role x)) 10)", "START does not take 4"),
    ("(START m1 x rules 10 10)", "must be a list"),
    ("(START m1 ?x () 10 10)", "cannot be a role"),
    ("(START m1 x () soon 10)", "number of seconds"),
    ("(START m1 x () 10 nan)", "number of seconds"),
    ("(START m1 x () 10 -1)", "number of seconds"),
    ("(START m1 x () inf 10)", "number of seconds"),
    ('(START "m 1" x () 1 1)', "cannot be called"),
    ("(ABORT)", "ABORT does not take 0"),
    ("(PLAY m1 " + "(" * 500 + ")" * 500 + ")", "150 deep"),
    ("(" * 100_000, "100000 parentheses are never closed"),
])
def test_what_is_no_message_is_told_so_in_a_line(text: str, complaint: str) -> None:
    with pytest.raises(InvalidMessage) as raised:
        parse_message(text)
    assert complaint in str(raised.value)
    assert len(str(raised.value)) < 300


@given(st.text(alphabet=string.printable + "é\ufeff", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for shown in (text, f"(PLAY {text})", f"(START {text} 1 1)"):
        try:
            message = parse_message(shown)
        except InvalidMessage:
            continue
        assert parse_message(str(message)) == message


def test_a_match_whose_name_would_break_the_message_is_not_printed() -> None:
    with pytest.raises(InvalidMessage):
        str(Abort("m1) (INFO"))


@pytest.mark.parametrize("reply", [
    "(mark 2 2)", "( MARK 2 2 )\r\n", "(mark 2 2) (explanation \"it is the middle :-)\") (taunt \"ha\")",
])
def test_a_move_is_read_whatever_follows_it(reply: str) -> None:
    assert parse_move(reply) == Move("(mark 2 2)")


@pytest.mark.parametrize("reply", ["", "   ", ")", "(mark 2", "?x", "((mark) 2)", "()"])
def test_what_is_no_move_is_no_reply(reply: str) -> None:
    with pytest.raises(InvalidMessage):
        parse_move(reply)


@pytest.mark.parametrize(("reply", "status"), [
    ("((name Ludorum) (status available))", Status("Ludorum", "available")),
    ("( ( NAME Sancho ) ( STATUS BUSY ) (species alien) )", Status("Sancho", "busy")),
    ('((name "Random Player") (status available))', Status("Random Player", "available")),
    ("available", Status("", "available")),
    ("busy", Status("", "busy")),
])
def test_a_status_is_understood(reply: str, status: Status) -> None:
    assert parse_status(reply) == status


@pytest.mark.parametrize("name", ["Random Player", 'Ann (the "Rook")', "; or ( not", "a)) (status busy"])
def test_whatever_a_player_is_called_its_status_is_understood(name: str) -> None:
    told = parse_status(str(Status(name)))
    assert told.status == "available"
    assert told.name.split()[0] in name


@pytest.mark.parametrize("reply", ["", "ready", "((status asleep))", "(("])
def test_what_is_no_status_is_refused(reply: str) -> None:
    with pytest.raises(InvalidMessage):
        parse_status(reply)
