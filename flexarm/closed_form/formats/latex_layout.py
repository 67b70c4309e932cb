"""LaTeX of names and units, equations broken into rows, sections."""

from __future__ import annotations

import re

WIDTH = 72
"""Signs in a row of an equation."""


def equation(left: str, products: list[str]) -> str:
    """An equation whose right-hand side is broken into rows."""
    lines, row, width = [], "", _width(left) + 3
    for product in products or ["0"]:
        if row and width + _width(product) > WIDTH:
            lines.append(row)
            row, width = "", 3
        row = f"{row} {product}".strip()
        width += _width(product) + 2
    lines.append(row)
    lines[0] = lines[0].removeprefix("+ ")
    return rf"{left} ={{}}& " + " \\\\\n& ".join(lines)


def _width(latex: str) -> int:
    """Signs that LaTeX text takes, more or less: of a fraction its numerator."""
    latex = re.sub(r"\\frac(\{(?:[^{}]|\{[^{}]*\})*\})\{(?:[^{}]|\{[^{}]*\})*\}", r"\1", latex)
    seen = re.sub(r"\\(d?dot|big[lr])", "", latex)
    return len(re.sub(r"[{}_^ ]", "", re.sub(r"\\[a-zA-Z]+", "x", seen)))


def section(title: str, lines: list[str]) -> list[str]:
    """Heading with what stands below it; nothing without."""
    return ["", rf"\section*{{{title}}}", *lines] if lines else []


def aligned(equations: list[str]) -> list[str]:
    """Equations below each other, their signs of equality in line."""
    return [r"\begin{align*}", " \\\\\n".join(equations), r"\end{align*}"] if equations else []


def latex_name(name: str) -> str:
    """LaTeX of a name: q_1_dd as \\ddot{q}_{1}, J_hx1 as J_{hx1}."""
    if match := re.fullmatch(r"(M|bias)\[(\d+)(?:,(\d+))?\]", name):
        _, i, j = match.groups()
        return f"M_{{{i},{j}}}" if j else f"h_{{{i}}}"
    accent = ""
    for ending, command in (("_dd", r"\ddot"), ("_d", r"\dot")):
        if name.endswith(ending):
            name, accent = name[: -len(ending)], command
            break
    base, _, index = name.partition("_")
    base = {"delta": r"\delta", "mu": r"\mu", "alpha": r"\alpha"}.get(base, base)
    base = f"{accent}{{{base}}}" if accent else base
    return f"{base}_{{{index.replace('_', ',')}}}" if index else base


def latex_unit(unit: str) -> str:
    """A unit, N m^2 as \\mathrm{N\\,m^2}."""
    spaced = unit.replace(" ", r"\,")
    return rf"\mathrm{{{spaced}}}" if unit else ""
