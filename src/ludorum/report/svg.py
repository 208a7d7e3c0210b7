"""Pictures as text: the few elements of SVG that the pages need."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

COLOUR = "#2a6f97"


def picture(width: float, height: float, parts: Iterable[str], *, title: str) -> str:
    """A picture that scales with the page and says what it shows to those who cannot see it."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
            f'width="{width:.0f}" height="{height:.0f}" role="img"><title>{escape(title)}</title>'
            f'{"".join(parts)}</svg>')


def rectangle(x: float, y: float, width: float, height: float, fill: str, *, stroke: str = "#999",
              hint: str = "") -> str:
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="0.7">{inside}</rect>')


def text(x: float, y: float, words: str, *, size: float = 11, anchor: str = "middle", fill: str = "#222",
         turned: float = 0.0) -> str:
    """Words whose middle is at a height; turned by degrees, clockwise."""
    turn = f' transform="rotate({turned:.1f} {x:.1f} {y:.1f})"' if turned else ""
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" '
            f'dominant-baseline="central" fill="{fill}"{turn}>{escape(words)}</text>')


def line(x1: float, y1: float, x2: float, y2: float, *, stroke: str = "#888", width: float = 1.0,
         arrow: bool = False) -> str:
    end = ' marker-end="url(#arrow)"' if arrow else ""
    return (f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
            f'stroke-width="{width:.1f}"{end}/>')


def circle(x: float, y: float, radius: float, fill: str, *, hint: str = "") -> str:
    inside = f"<title>{escape(hint)}</title>" if hint else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{fill}" stroke="#fff">{inside}</circle>'


#: What `line(arrow=True)` needs once in its picture.
ARROW = ('<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
         'orient="auto-start-reverse"><path d="M0,0 L8,4 L0,8 z" fill="#888"/></marker></defs>')


def heat(share: float) -> str:
    """A colour from light to dark blue for a share from 0 to 1."""
    share = min(1.0, max(0.0, share))
    light, dark = (222, 235, 247), (33, 84, 130)
    red, green, blue = (round(low + share * (high - low)) for low, high in zip(light, dark, strict=True))
    return f"rgb({red},{green},{blue})"
