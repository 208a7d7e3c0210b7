"""What contents look like: a colour by role, a shape, and a letter where the shape alone does not tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ludorum.drawing import palette
from ludorum.drawing.faces import Face
from ludorum.drawing.letters import letters
from ludorum.drawing.ranks import Ranks
from ludorum.drawing.scene import Content, Shape

# The first role's pieces are discs, the second's squares, so that colours need not be seen at all.
_SHAPES: tuple[Shape, ...] = ("disc", "square", "triangle", "diamond", "ring", "hexagon")


def looks(face: Face, owners: Mapping[str, str], colours: Mapping[str, str],
          roles: Sequence[str], ranks: Ranks) -> dict[str, Content]:
    """How every content of a board looks."""
    every = sorted(face.fluents, key=ranks.words)
    shown = [words for words in every if words not in face.blank]
    of_role: dict[str | None, list[str]] = {
        role: [words for words in shown if owners.get(words) == role] for role in (*roles, None)}
    signs = {words: sign for group in of_role.values() for words, sign in letters(group).items()}
    found: dict[str, Content] = {words: Content(words, "", "blank", palette.LIGHT) for words in face.blank}
    neutral = 0
    for words in shown:
        role = owners.get(words)
        if words in face.counts:
            found[words] = Content(words, words, "number", palette.WORDS, role, face.counts[words])
        elif words.isdecimal():
            found[words] = Content(words, words, "number", palette.WORDS, role)
        elif role is not None:
            shape = _SHAPES[roles.index(role) % len(_SHAPES)]
            sign = "" if len(of_role[role]) == 1 else signs[words]
            found[words] = Content(words, sign, shape, colours[role], role)
        else:
            # Beside the boards what is written matters, and there is much of it.
            colour = palette.WORDS if face.is_beside else palette.NEUTRAL[neutral % len(palette.NEUTRAL)]
            neutral += 1
            found[words] = Content(words, signs[words], "sign", colour)
    return found
