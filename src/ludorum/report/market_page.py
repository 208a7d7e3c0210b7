"""The table of markets as a page, with plots of bids by value and of revenue by the number of bidders."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from html import escape

from ludorum.report import svg
from ludorum.report.markets import Cell, MarketRow, Revenue

_COLOURS = ("#2a6f97", "#c1666b", "#4c9f70", "#d4a017", "#7a5195", "#555555", "#e07a5f", "#3d405b")
_WORDS = {"proved": "yes", "refuted": "no", "unknown": "unknown"}
_WIDTH, _HEIGHT, _MARGIN, _LEGEND = 460.0, 300.0, 44.0, 120.0
_PROPERTIES = ("truthful", "rational", "budget", "efficient")
_STYLE = """body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .3em .7em; border-bottom: 1px solid #ddd; text-align: left;
vertical-align: top; } .proved { color: #2d7d46; } .refuted { color: #b03a2e; } .unknown { color: #777; }
pre { margin: .3em 0; font-size: 12px; } svg { max-width: 100%; height: auto; } .plots { display: flex; flex-wrap: wrap;
gap: 2em; } summary { cursor: pointer; }"""


def page(rows: Sequence[MarketRow], growing: Sequence[Revenue] = ()) -> str:
    """The whole page; it needs nothing else."""
    bids = {f"{row.name}: {role}": [(float(value), bid) for value, bid in points]
            for row in rows for role, points in list(row.bids.items())[:2 if _sides(row) else 1]}
    by_name: dict[str, list[tuple[float, float]]] = {}
    for found in growing:
        by_name.setdefault(found.name, []).append((float(found.bidders), found.revenue))
    body = [
        "<h1>The table of markets</h1>",
        "<p>All of it is derived from the rules. Yes means proved; no is refuted by a match, which is shown; amounts "
        "are averages in an equilibrium, with the most that a trader could still gain as ε.</p>",
        _table(rows),
        '<div class="plots">',
        _figure("Bids by value, in equilibrium", bids, "value", "bid"),
        _figure("Revenue by the number of bidders, values 0 to 3", by_name, "bidders", "revenue"),
        "</div>", "<h2>What traders send</h2>", *(_messages(row) for row in rows if row.messages)]
    return (f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Markets</title><style>{_STYLE}</style>\n'
            + "\n".join(body) + "\n</html>\n")


def _sides(row: MarketRow) -> bool:
    """Whether its traders do not all do the same."""
    return len({tuple(points) for points in row.bids.values()}) > 1


def _table(rows: Sequence[MarketRow]) -> str:
    heads = ("market", "prices", *(f"{name}?" for name in _PROPERTIES), "revenue", "surplus", "efficiency", "ε")
    lines = ["<table><tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>"]
    for row in rows:
        cells = [f"<td><b>{escape(row.title)}</b></td>",
                 f"<td>{row.prices[0]}–{row.prices[1]}{' (fewer than its own)' if row.is_cut else ''}</td>",
                 *(_cell(row.proofs.get(name)) for name in _PROPERTIES),
                 f"<td>{_amount(row.revenue, row.why)}</td>",
                 f"<td>{_surplus(row)}</td>",
                 f"<td>{_amount(None if row.efficiency is None else 100 * row.efficiency, row.why)}"
                 f"{'' if row.efficiency is None else ' %'}</td>",
                 f"<td>{_amount(None, row.why) if row.epsilon is None else f'{row.epsilon:.0e}'}</td>"]
        lines.append("<tr>" + "".join(cells) + "</tr>")
    return "\n".join([*lines, "</table>"])


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return '<td class="unknown">unknown</td>'
    word = _WORDS[cell.verdict]
    if cell.match is None:
        hint = f"{cell.says}; {cell.method}"
        return f'<td class="{cell.verdict}" title="{escape(hint)}">{word}</td>'
    match = "\n".join("  ".join(joint) for joint in cell.match)
    return (f'<td class="{cell.verdict}"><details><summary>{word}</summary>{escape(cell.says)}<pre>{escape(match)}'
            "</pre></details></td>")


def _surplus(row: MarketRow) -> str:
    return "<br>".join(f"{escape(role)} {value:.4g}" for role, value in row.surplus.items()) or _amount(None, row.why)


def _amount(value: float | None, why: str) -> str:
    return f'<span class="unknown" title="{escape(why)}">unknown</span>' if value is None else f"{value:.4g}"


def _messages(row: MarketRow) -> str:
    lines = [f"<details><summary>{escape(row.title)}: {escape(row.method)}, ε = {row.epsilon:.0e}</summary><table>"]
    for role, by_type in row.messages.items():
        lines += [f"<tr><td>{escape(role)}</td><td><code>{escape(kind)}</code></td><td><code>{escape(sent)}</code>"
                  "</td></tr>" for kind, sent in by_type.items()]
    return "\n".join([*lines, "</table></details>"])


def _figure(title: str, series: dict[str, list[tuple[float, float]]], across: str, up: str) -> str:
    """Lines through points."""
    series = {name: points for name, points in series.items() if points}
    if not series:
        return ""
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    left, right, low, high = min(xs), max(max(xs), min(xs) + 1), min(0.0, *ys), max(max(ys), 1.0)

    def place(x: float, y: float) -> tuple[float, float]:
        return (_MARGIN + (x - left) / (right - left) * (_WIDTH - 2 * _MARGIN),
                _HEIGHT - _MARGIN - (y - low) / (high - low) * (_HEIGHT - 2 * _MARGIN))

    parts = [svg.line(*place(left, low), *place(right, low)), svg.line(*place(left, low), *place(left, high))]
    for x in sorted(set(xs)):
        parts.append(svg.text(place(x, low)[0], _HEIGHT - _MARGIN + 14, f"{x:g}"))
    for y in range(int(low), int(high) + 1):
        parts.append(svg.text(_MARGIN - 14, place(left, y)[1], str(y)))
    parts += [svg.text(_WIDTH / 2, _HEIGHT - 8, across), svg.text(12, _HEIGHT / 2, up, turned=-90)]
    for number, (name, points) in enumerate(series.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        # A little apart, so that lines that lie on each other are all seen.
        apart = 1.2 * (number - (len(series) - 1) / 2)
        ends = [(x, y - apart) for x, y in (place(*point) for point in sorted(points))]
        parts += [svg.line(*one, *other, stroke=colour, width=1.6) for one, other in itertools.pairwise(ends)]
        parts += [svg.circle(*end, 3, colour, hint=name) for end in ends]
        parts.append(svg.text(_WIDTH - _MARGIN + 16, _MARGIN + 14 * number, name, anchor="start", fill=colour, size=11))
    return f"<figure><h2>{escape(title)}</h2>{svg.picture(_WIDTH + _LEGEND, _HEIGHT, parts, title=title)}</figure>"
