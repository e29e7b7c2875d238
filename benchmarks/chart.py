"""A line chart with logarithmic axes as SVG, readable on light and dark ground."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence

_WIDTH, _HEIGHT = 760, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 190, 44, 52
_COLOURS = [("#1f6feb", "#6ea8fe"), ("#b35900", "#f0a04b"), ("#1a7f37", "#56d364"), ("#8250df", "#c297ff"), ("#cf222e", "#ff8182"), ("#57606a", "#b1bac4"), ("#9a6700", "#e3b341"), ("#0a7c86", "#56c7d1")]  # fmt: skip

Points = Sequence[tuple[float, float]]


def svg(title: str, x_title: str, y_title: str, series: Mapping[str, Points], dashed: frozenset[str] = frozenset()) -> str:
    """The chart. Points at or below zero are left out; series in `dashed` (extrapolated, for comparison) have broken lines."""
    lines = {name: [(x, y) for x, y in points if x > 0 and y > 0] for name, points in series.items()}
    lines = {name: points for name, points in lines.items() if points}
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    x_low, x_high = _decades(xs)
    y_low, y_high = _decades(ys)

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - x_low) / (x_high - x_low)
        up = (math.log10(y) - y_low) / (y_high - y_low)
        return _LEFT + across * (_WIDTH - _LEFT - _RIGHT), _HEIGHT - _BOTTOM - up * (_HEIGHT - _TOP - _BOTTOM)

    out = [_head(title)]
    for k in range(x_low, x_high + 1):
        x, y = at(10.0**k, 10.0**y_low)
        out.append(f'<line class="grid" x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text class="tick" x="{x:.1f}" y="{y + 17:.1f}" text-anchor="middle">{_number(10.0**k)}</text>')
    for k in range(y_low, y_high + 1):
        x, y = at(10.0**x_low, 10.0**k)
        out.append(f'<line class="grid" x1="{x:.1f}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}"/>')
        out.append(f'<text class="tick" x="{x - 7:.1f}" y="{y + 4:.1f}" text-anchor="end">{_number(10.0**k)}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    out.append(f'<text class="axis" x="{middle:.0f}" y="{_HEIGHT - 12}" text-anchor="middle">{html.escape(x_title)}</text>')
    centre = (_TOP + _HEIGHT - _BOTTOM) / 2
    out.append(
        f'<text class="axis" transform="translate(16 {centre:.0f}) rotate(-90)" text-anchor="middle">{html.escape(y_title)}</text>'
    )
    labels = []
    for n, (name, points) in enumerate(lines.items()):
        placed = [at(x, y) for x, y in points]
        path = " ".join(f"{'L' if m else 'M'}{x:.1f} {y:.1f}" for m, (x, y) in enumerate(placed))
        dash = ' stroke-dasharray="5 4"' if name in dashed else ""
        out.append(f'<path class="line c{n % len(_COLOURS)}" d="{path}"{dash}/>')
        out += [f'<circle class="dot c{n % len(_COLOURS)}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in placed]
        labels.append((placed[-1][1], n, name, placed[-1][0]))
    out += _labels(labels)
    return "\n".join([*out, "</svg>", ""])


def _labels(ends: list[tuple[float, int, str, float]]) -> list[str]:
    """Names at the right, as near to the ends of their lines as they can be without touching."""
    out = []
    last = float(_TOP) - 20
    for y, n, name, x in sorted(ends):
        place = max(y, last + 16)
        last = place
        right = _WIDTH - _RIGHT + 14
        out.append(f'<path class="lead c{n % len(_COLOURS)}" d="M{x + 4:.1f} {y:.1f} L{right - 3} {place:.1f}"/>')
        out.append(f'<text class="name t{n % len(_COLOURS)}" x="{right}" y="{place + 4:.1f}">{html.escape(name)}</text>')
    return out


def _head(title: str) -> str:
    rules = [
        "text{font:12px system-ui,sans-serif;fill:#57606a}",
        ".title{font-size:15px;font-weight:600;fill:#1f2328}.axis{font-size:13px}",
        ".grid{stroke:#d0d7de;stroke-width:1}.line{fill:none;stroke-width:2}.lead{fill:none;stroke-width:1;opacity:.4}.ground{fill:#fff}",
    ]
    dark = ["text{fill:#b1bac4}.title{fill:#f0f6fc}.grid{stroke:#30363d}.ground{fill:#0d1117}"]
    for n, (light, night) in enumerate(_COLOURS):
        rules.append(f".c{n}{{stroke:{light}}}.dot.c{n}{{fill:{light}}}.name.t{n}{{fill:{light}}}")
        dark.append(f".c{n}{{stroke:{night}}}.dot.c{n}{{fill:{night}}}.name.t{n}{{fill:{night}}}")
    style = "".join(rules) + "@media (prefers-color-scheme: dark){" + "".join(dark) + "}"
    title = html.escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{title}">\n'
        f'<title>{title}</title>\n<style>{style}</style>\n<rect class="ground" width="{_WIDTH}" height="{_HEIGHT}"/>\n'
        f'<text class="title" x="{_LEFT}" y="24">{title}</text>'
    )


def _decades(values: Sequence[float]) -> tuple[int, int]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _number(value: float) -> str:
    for limit, sign in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= limit:
            return f"{value / limit:g}{sign}"
    return f"{value:g}"
