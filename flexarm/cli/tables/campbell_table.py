"""Campbell diagram as text: frequencies over the rate, critical rates, and where motions grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexarm.cli.terminal.console import Console, counted

if TYPE_CHECKING:
    import numpy as np

    from flexarm.analysis.small_motions.campbell import Campbell

MOST_ROWS = 41
"""Rates listed; of more, evenly chosen ones."""
ORDERS = (1, 2)
"""Multiples of the rate with which what is fixed in space excites an arm that turns."""


def report_campbell(found: Campbell, count: int, console: Console) -> None:
    """List the frequencies of the slowest modes at every rate, critical rates and instabilities."""
    import numpy as np

    vibrating = np.flatnonzero((found.frequencies > 0).any(axis=0))
    chosen = vibrating[:count]
    if len(chosen):
        _table(found, chosen, console)
        _critical_rates(found, chosen, console)
    left_out = len(vibrating) - len(chosen)
    if left_out > 0:
        console.write(
            f"  {counted(left_out, 'more mode')} up to {np.nanmax(found.frequencies) / (2 * np.pi):.4g} Hz (--count)"
        )
    _instabilities(found, console)


def _table(found: Campbell, chosen: np.ndarray, console: Console) -> None:
    import numpy as np

    rates = found.rates
    shown = np.unique(np.linspace(0, len(rates) - 1, min(len(rates), MOST_ROWS)).round().astype(int))
    rows = [("rate", *(f"mode {line + 1}" for line in chosen)), ("(rad/s)", *["(Hz)"] * len(chosen))]
    for k in shown:
        cells = [
            f"{frequency / (2 * np.pi):.5g}" if frequency > 0 else ""
            for frequency in found.frequencies[k, chosen]
        ]
        rows.append((f"{rates[k]:.5g}", *cells))
    rows.append(("dominant", *(_leading(found, line) for line in chosen)))
    console.table(rows, ">" * (1 + len(chosen)))
    if len(shown) < len(rates):
        console.write(f"  {len(shown)} of {len(rates)} rates; the result has all")


def _leading(found: Campbell, line: int) -> str:
    """Coordinate that dominates the motion of a line where the line begins."""
    k = int((found.lines[:, line] >= 0).argmax())
    return found.modes[k].leading[found.lines[k, line]]


def _critical_rates(found: Campbell, chosen: np.ndarray, console: Console) -> None:
    """Rates at which a frequency is that of the rotation or twice that."""
    from flexarm.analysis.small_motions.campbell import critical_rates

    for order in ORDERS:
        met = [
            f"{rate:.4g} rad/s (mode {line + 1})"
            for line in chosen
            for rate in critical_rates(found.rates, found.frequencies[:, line], order)
        ]
        if met:
            console.write(f"  {order} x the rate meets a frequency near {', '.join(met)}")


def _instabilities(found: Campbell, console: Console) -> None:
    """Ranges of rates at which a motion grows."""
    import numpy as np

    unstable, rates = found.unstable, found.rates
    edges = np.flatnonzero(np.diff(np.concatenate([[False], unstable, [False]]).astype(int)))
    for first, end in zip(edges[::2], edges[1::2], strict=True):
        fastest = max(range(first, end), key=lambda k: np.real(found.modes[k].modes.poles).max())
        modes = found.modes[fastest]
        k = int(np.real(modes.modes.poles).argmax())
        at = (
            f"at {rates[first]:.5g}"
            if end == first + 1
            else f"from {rates[first]:.5g} to {rates[end - 1]:.5g}"
        )
        console.write(
            f"  unstable {at} rad/s: {modes.leading[k]} grows with up to {np.real(modes.modes.poles[k]):.4g}/s"
        )
