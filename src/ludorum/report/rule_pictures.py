"""Rules that rewrite a board as pictures: what must be there on the left, what is there afterwards on the right."""

from __future__ import annotations

from ludorum.drawing.rewriting import DrawnRule
from ludorum.report import svg

_SIZE, _GAP, _MARGIN = 34.0, 44.0, 6.0
_CHANGED, _NEEDED = "#f6f1e4", "#eeeeee"


def rule_picture(rule: DrawnRule) -> str:
    """Two small boards with an arrow between them; squares that only must hold something are grey."""
    before = {step: "/".join(sorted(mark or "·" for mark in allowed)) for step, allowed in rule.needed}
    after = dict(before)
    changed = {step for step, _, _ in rule.parts}
    for step, allowed, later in rule.parts:
        before[step] = "" if allowed == {""} else "/".join(sorted(mark or "·" for mark in allowed))
        after[step] = later
    if not before:
        before = after = {(0, 0): "pass"}
    left, right = min(x for x, _ in before), max(x for x, _ in before)
    low, high = min(y for _, y in before), max(y for _, y in before)
    size = max(_SIZE, 6.5 * max(map(len, [*before.values(), *after.values()])) + 8)
    width, height = (right - left + 1) * size, (high - low + 1) * size
    parts = [svg.ARROW]
    for start, texts in ((_MARGIN, before), (_MARGIN + width + _GAP, after)):
        for (x, y), words in texts.items():
            place = (start + (x - left) * size, _MARGIN + (high - y) * size)
            parts.append(svg.rectangle(*place, size, size, _CHANGED if (x, y) in changed else _NEEDED))
            if words:
                parts.append(svg.text(place[0] + size / 2, place[1] + size / 2, words))
    middle = _MARGIN + height / 2
    parts.append(svg.line(_MARGIN + width + 8, middle, _MARGIN + width + _GAP - 8, middle, arrow=True))
    return svg.picture(2 * width + _GAP + 2 * _MARGIN, height + 2 * _MARGIN, parts, title=f"the rule {rule.name}")
