"""Picture of a designed controller: its loops over the frequency with their margins, and poles with and without it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator, NullFormatter

from flexarm.analysis.control_design.control_design import ControlDesign
from flexarm.analysis.control_design.robustness import Margins, loop_frequencies
from flexarm.plots.drawing.style import INK, WIDTH, InlineFigure, colour, styled

HEIGHT = 4.6  # inches
DECADES = 1e-3
"""Least magnitude that is drawn: what is below it is far from any margin."""
BELOW = 30.0
"""The loop is drawn from so far below its slowest pole on."""
RIGID = 1e-6
"""Size of a pole, of the largest one, that is none but for round-off."""
NO_LIMIT = 1e-6
"""Factor of a gain, or one over it, that counts as none."""


@styled
def loop(design: ControlDesign) -> Figure:
    """Draw magnitude and phase of the loop opened at each input with its margins, and poles, open and closed."""
    figure = InlineFigure(figsize=(1.3 * WIDTH, HEIGHT), layout="constrained")
    every = f", every {design.period:g} s" if design.period is not None else ""
    title = f"{design.model.point.arm.name}: loop of the {design.method}{every}"
    figure.suptitle(title, x=0.01, ha="left")
    panels = figure.subplot_mosaic([["magnitude", "poles"], ["phase", "poles"]], width_ratios=[1.8, 1])
    magnitude, phase, plane = panels["magnitude"], panels["phase"], panels["poles"]
    for k, name in enumerate(design.model.inputs):
        own = design.loop(name)
        w = loop_frequencies(own)
        w = w[w >= _slowest(design) / BELOW]
        curve = own.at(w)[:, 0, 0]
        seen = np.abs(curve) > DECADES * max(1.0, np.abs(curve).min(initial=np.inf))
        w, curve = w[seen], curve[seen]
        label = f"{name}: {_said(design.margins[name])}"
        lag = np.degrees(np.unwrap(np.angle(curve)))
        lag -= 360 * np.round((lag[0] + 90) / 360)
        magnitude.loglog(w / (2 * np.pi), np.abs(curve), color=colour(k), label=label, gid=f"loop at {name}")
        phase.semilogx(w / (2 * np.pi), lag, color=colour(k), gid=f"phase at {name}")
        _mark_margins(magnitude, phase, w / (2 * np.pi), curve, lag, colour(k))
    magnitude.axhline(1.0, color=INK, linewidth=0.6, linestyle="--", gid="gain 1")
    for level in _odd_half_turns(phase):
        phase.axhline(level, color=INK, linewidth=0.6, linestyle="--", gid="phase -180")
    magnitude.set_ylabel("magnitude")
    magnitude.tick_params(labelbottom=False)
    magnitude.sharex(phase)
    phase.set(ylabel="phase (deg)", xlabel="frequency (Hz)")
    phase.yaxis.set_major_locator(MultipleLocator(180 if np.ptp(phase.get_ylim()) > 700 else 90))
    phase.xaxis.set_minor_formatter(NullFormatter())
    magnitude.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2)
    _draw_poles(plane, design)
    return figure


def design_figures(design: ControlDesign) -> dict[str, Callable[[], Figure]]:
    """Return what draws each picture of a design, by name."""
    return {"loop": partial(loop, design)}


def _said(margins: Margins) -> str:
    """Margins in words: by how much the gain may change, and how much the phase may lag."""
    lower, upper = (f"{limit:.3g}" if NO_LIMIT < limit < 1 / NO_LIMIT else "" for limit in margins.gain)
    phase = f"{np.degrees(margins.phase):.3g}°" if margins.phase < 10 else "any"
    return f"gain times {lower or '0'} to {upper or 'any'}, phase margin {phase}"


def _mark_margins(
    magnitude: Axes, phase: Axes, f: np.ndarray, curve: np.ndarray, lag: np.ndarray, tone: str
) -> None:
    """Mark where the loop has gain 1, in the phase, and where its phase is -180 degrees, in the magnitude."""
    size = np.log(np.abs(curve))
    crossings = np.flatnonzero(size[:-1] * size[1:] < 0).tolist()
    at = [_between(size, k) for k in crossings]
    points = [
        (f[k] * (f[k + 1] / f[k]) ** s, lag[k] + s * (lag[k + 1] - lag[k]))
        for k, s in zip(crossings, at, strict=True)
    ]
    phase.plot(*np.reshape(points, (-1, 2)).T, "o", color=tone, markersize=4, gid="gain 1")
    turned = np.sin(np.radians(lag))
    crossings = np.flatnonzero((turned[:-1] * turned[1:] < 0) & (np.cos(np.radians(lag[:-1])) < 0)).tolist()
    at = [_between(turned, k) for k in crossings]
    points = [
        (f[k] * (f[k + 1] / f[k]) ** s, np.exp(size[k] + s * (size[k + 1] - size[k])))
        for k, s in zip(crossings, at, strict=True)
    ]
    magnitude.plot(*np.reshape(points, (-1, 2)).T, "o", color=tone, markersize=4, gid="phase -180")


def _between(values: np.ndarray, k: int) -> float:
    """Part of the way from k to k + 1 at which values that change their sign are 0."""
    return float(values[k] / (values[k] - values[k + 1]))


def _odd_half_turns(phase: Axes) -> list[float]:
    low, high = phase.get_ylim()
    return [level for level in np.arange(-1980.0, 1981.0, 360.0).tolist() if low <= level <= high]


def _slowest(design: ControlDesign) -> float:
    """Size [1/s] of the slowest pole that is more than a rigid motion and its round-off."""
    sizes = np.abs(np.concatenate([design.open_poles, design.poles]))
    sizes = sizes[np.isfinite(sizes)]
    return float(sizes[sizes > RIGID * sizes.max(initial=0.0)].min(initial=np.inf))


def _draw_poles(plane: Axes, design: ControlDesign) -> None:
    """Draw the poles of arm and controller by themselves, and of the closed loop."""
    opened, closed = (
        poles[np.isfinite(poles) & (np.imag(poles) >= 0)] for poles in (design.open_poles, design.poles)
    )
    plane.plot(np.real(opened), np.imag(opened) / (2 * np.pi), "x", color=INK, markersize=5, label="open")
    plane.plot(
        np.real(closed), np.imag(closed) / (2 * np.pi), "s", color=colour(1), markerfacecolor="none", markersize=5,
        label="closed",
    )  # fmt: skip
    sizes, least = np.abs(np.concatenate([opened, closed])), _slowest(design)
    plane.axvline(0.0, color=INK, linewidth=0.6)
    plane.set_xscale("symlog", linthresh=least)
    plane.set_yscale("symlog", linthresh=least / (2 * np.pi))
    top = 3 * sizes.max(initial=least) / (2 * np.pi)
    plane.set(xlabel="real part (1/s)", ylabel="imaginary part (Hz)", ylim=(-0.1 * least, top))
    first, last = np.floor(np.log10(least)), np.ceil(np.log10(sizes.max(initial=least)))
    tens = 10.0 ** np.arange(first, last + 1, max(1, (last - first) // 2))
    plane.set_xticks([*-tens[::-1], 0.0, *tens])
    real = np.real(np.concatenate([opened, closed]))
    plane.set_xlim(1.5 * min(real.min(), -least), 1.5 * max(real.max(), least))
    plane.set_title("poles", loc="left")
    plane.legend(loc="lower left")
