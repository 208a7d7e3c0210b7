"""What is sent of a state: the scene with its clicks; in games with secrets, to a seat, only what its role can know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ludorum.belief import hides
from ludorum.clock import Deadline
from ludorum.errors import LudorumError
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.joint import goes_on
from ludorum.move import Move
from ludorum.state import State
from ludorum.web.drawn import clickable, drawn

if TYPE_CHECKING:
    from ludorum.belief import Belief

# So many possible states are kept for a role, and so many of them are looked at to draw what they have in common.
_MOST_STATES = 20_000
_MOST_DRAWN = 120
# What follows from a step may take so long, in seconds.
_LEARNING_S = 3.0
# More moves than that are not sent one by one.
_MOST_MOVES = 4_000

View = dict[str, Any]


class Views:
    """What everyone may see of the states of a match, kept from step to step."""

    def __init__(self, game: Game) -> None:
        self._game = game
        #: Whether roles are told percepts instead of each other's moves.
        self.hides = hides(game)
        self._beliefs: dict[str, Belief] = {}
        #: By role, what it could know step by step.
        self._seen: dict[str, list[View]] = {}
        #: Roles whose possible states were lost track of.
        self._lost: set[str] = set()
        #: Whether everybody has known everything so far, as where all see the throw of a die.
        self.is_open = True
        if self.hides:
            self._begin()

    # ---- open games ----

    def of_state(self, state: State, before: State | None = None) -> View:
        """A state as everybody may see it who may see everything."""
        over = state.is_terminal or not goes_on(state)
        return {
            **drawn(state, before),
            "moves": {} if over else {str(role): self._moves(state, role, [str(move) for move in state.legal(role)])
                                      for role in state.choosers if role != RANDOM},
            "over": over,
            "goals": {str(role): goal for role, goal in state.goals.items()},
            "text": [str(fluent) for fluent in sorted(state.fluents, key=str)],
        }

    def latest(self, states: Sequence[State]) -> dict[str, View | None]:
        """By role what it may see of the last state, and under the empty name what everybody may."""
        if not self.hides:
            return {"": self.of_state(states[-1], states[-2] if len(states) > 1 else None)}
        seen: dict[str, View | None] = {role: views[-1] for role, views in self._seen.items()}
        return {**seen, "": self.of_state(states[-1], states[-2] if len(states) > 1 else None)
                if self.is_open else None}

    # ---- games with secrets ----

    def step(self, states: Sequence[State], joints: Sequence[dict[str, Move]]) -> None:
        """A joint move was made, of which every role learns what it is told."""
        if not self.hides:
            return
        state, joint = states[-1], joints[-1]
        for role, belief in self._beliefs.items():
            try:
                if role not in self._lost:
                    belief.perceived(joint[role], state.percepts[role], Deadline.within(_LEARNING_S))
                    if not belief.is_consistent:
                        self._lost.add(role)
            except LudorumError:
                # The match is possible, but was not in the sample, and neither was anything that explains it.
                self._lost.add(role)
            self._seen[role].append(self._known(role, sorted(map(str, state.percepts[role]))))
        self.is_open = self.is_open and all(len(belief) == 1 and belief.is_exact and role not in self._lost
                                            for role, belief in self._beliefs.items())

    def rewind(self, states: Sequence[State], joints: Sequence[dict[str, Move]]) -> None:
        """The match was taken back to the last of these states."""
        if self.hides:
            self._begin()
            for step in range(len(joints)):
                self.step(states[:step + 2], joints[:step + 1])

    def of_role(self, role: str, step: int) -> View:
        """What a role could know after so many steps."""
        return self._seen[role][step]

    def _begin(self) -> None:
        from ludorum.belief import Belief

        self._lost.clear()
        self.is_open = True
        self._beliefs = {str(role): Belief(self._game, role, most=_MOST_STATES, seed=0)
                         for role in self._game.roles if role != RANDOM}
        self._seen = {role: [self._known(role, [])] for role in self._beliefs}

    def _known(self, role: str, percepts: list[str]) -> View:
        """What is common to all states that are possible for a role, and how likely what is not."""
        belief = self._beliefs[role]
        if role in self._lost:
            return {"scene": None, "marks": [], "moves": {}, "percepts": percepts, "possible": None, "over": False,
                    "goals": {}, "text": []}
        samples = belief.samples(_MOST_DRAWN)
        legal = [] if belief.is_terminal else sorted(map(str, belief.legal))
        common = frozenset.intersection(*(state.fluents for state, _ in samples))
        return {
            **_common([(drawn(state, None), odds) for state, odds in samples], role, len(legal) > 1),
            "moves": {role: self._moves(samples[0][0], role, legal)} if len(legal) > 1 else {},
            "percepts": percepts,
            "possible": {"states": len(belief), "is_exact": belief.is_exact},
            "over": belief.is_terminal,
            "goals": {},
            "text": sorted(map(str, common)),
        }

    def _moves(self, state: State, role: str, legal: Sequence[str]) -> dict[str, Any]:
        shown = legal[:_MOST_MOVES]
        return {"list": clickable(state, role, shown), "left_out": len(legal) - len(shown)}


def _common(samples: list[tuple[View, float]], role: str, has_choice: bool) -> View:
    """One drawing of several states: what all have in common, and in the other places what may be there."""
    first = samples[0][0]
    scene = first["scene"]
    if scene is None:
        return {"scene": None, "marks": []}
    contents: dict[str, dict[str, tuple[dict[str, Any], float]]] = {}
    for view, odds in samples:
        for board in view["scene"]["boards"]:
            for cell in board["cells"]:
                here = contents.setdefault(cell["place"]["id"], {})
                for content in cell["contents"]:
                    known = here.get(content["words"])
                    here[content["words"]] = content, odds + (known[1] if known else 0.0)
    for board in scene["boards"]:
        for cell in board["cells"]:
            held = contents[cell["place"]["id"]]
            certain = [content for content, odds in held.values() if odds > 1 - 1e-9]
            doubtful = [{**content, "odds": round(odds, 3)} for content, odds in held.values() if odds <= 1 - 1e-9]
            cell["contents"] = certain
            named = cell["label"].split(", ")[0]
            cell["label"] = ", ".join((named, *(content["words"] for content in certain),
                                       *(["not certain"] if doubtful else [])))
            cell["doubt"] = sorted(doubtful, key=lambda content: -content["odds"])
    facts = [{fact["text"] for fact in view["scene"]["facts"]} for view, _ in samples]
    scene["facts"] = [fact for fact in scene["facts"] if all(fact["text"] in others for others in facts)]
    kept = [set(view["scene"]["bookkeeping"]) for view, _ in samples]
    scene["bookkeeping"] = [text for text in scene["bookkeeping"] if all(text in others for others in kept)]
    scene["turn"] = [role] if has_choice else []
    scene["goals"] = {}
    return {"scene": scene, "marks": []}
