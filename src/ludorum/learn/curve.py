"""The learning curve of a run as a picture: what nets scored against the first, and the loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 320, 56, 56, 24, 44


def curve_svg(title: str, trials: Sequence[dict[str, Any]]) -> str:
    """Games from left to right; the score against the weights of fluents in blue, the loss in grey."""
    games = [float(trial["games"]) for trial in trials] or [1.0]
    losses = [float(trial["loss"]) for trial in trials] or [1.0]
    most, low, high = max(games), min(losses), max(losses)
    span = high - low or 1.0

    def x(value: float) -> float:
        return _LEFT + value / most * (_WIDTH - _LEFT - _RIGHT)

    def y(share: float) -> float:
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    def line(points: list[tuple[float, float]], colour: str) -> str:
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
             f'font-size="12" fill="#444">', f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
             f'<text x="{_LEFT}" y="16" font-size="14">{_escaped(title)}</text>']
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        height, right = y(share), _WIDTH - _RIGHT
        parts.append(f'<line x1="{_LEFT}" x2="{right}" y1="{height:.1f}" y2="{height:.1f}" stroke="#ddd"/>'
                     f'<text x="{_LEFT - 6}" y="{height + 4:.1f}" text-anchor="end">{share:.0%}</text>'
                     f'<text x="{right + 6}" y="{height + 4:.1f}" fill="#999">{low + share * span:.3f}</text>')
    for share in (0.0, 0.5, 1.0):
        parts.append(f'<text x="{x(share * most):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">'
                     f"{share * most:,.0f}</text>")
    parts.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 8}" text-anchor="middle">games; blue: score against the '
                 f"weights of fluents, dots: nets that were kept; grey: loss</text>")
    parts.append(line([(x(a), y((b - low) / span)) for a, b in zip(games, losses, strict=True) if trials], "#bbb"))
    scores = [(x(float(trial["games"])), y(float(trial["against_first"]))) for trial in trials]
    parts.append(line(scores, "#1f77b4"))
    parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="#1f77b4"/>'
              for (a, b), trial in zip(scores, trials, strict=True) if trial["is_better"]]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
