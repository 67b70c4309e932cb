"""Bode diagram of frequency responses, with the poles of the arm and the zeros of its channels."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MultipleLocator, NullFormatter

from flexarm.plots.drawing.style import INK, WIDTH, colour, legend_beside, line_style, new_figure, styled
from flexarm.results.result import Result

HEIGHT = 4.6  # inches
MOST_CHANNELS = 12
"""Curves drawn, at most: the first ones."""
WHOLE_TURN = 270.0
"""Change of a phase [deg] from one frequency to the next that is a passage from 180 to -180."""
WIDE = 100.0
"""Ratio of the ends of a range of frequencies from which on powers of ten alone are labelled."""
SHOWN = 1.5
"""Poles and zeros are shown up to this multiple of the highest frequency."""


def has_response(result: Result) -> bool:
    """Return whether the result has a frequency response."""
    return "frequency_response" in result


@styled
def frequency_response(result: Result) -> Figure:
    """Draw magnitude and phase of every channel over the frequency, and poles and zeros beside them."""
    parts, frequencies = result["frequency_response"], result["response_frequency"]
    response = parts[..., 0] + 1j * parts[..., 1]
    outputs, inputs = (result.attributes[name].split(", ") for name in ("outputs", "inputs"))
    channels = [
        (i, j) for i in range(len(outputs)) for j in range(len(inputs)) if np.abs(response[:, i, j]).max() > 0
    ]
    left_out = len(channels) - MOST_CHANNELS
    dots = "simulated_response" in result, "measured_response" in result
    meant = ", ".join(
        text for text, drawn in zip(("dots: simulated", "crosses: measured"), dots, strict=True) if drawn
    )
    title = (
        "frequency response"
        + f"; {meant}" * any(dots)
        + f"; {left_out} further channels not drawn" * (left_out > 0)
    )
    figure = new_figure(result, title, height=HEIGHT, width=1.25 * WIDTH)
    panels = figure.subplot_mosaic([["magnitude", "poles"], ["phase", "poles"]], width_ratios=[2.2, 1])
    magnitude, phase, plane = panels["magnitude"], panels["phase"], panels["poles"]
    top = SHOWN * frequencies[-1]
    units = set()
    for k, (i, j) in enumerate(channels[:MOST_CHANNELS]):
        (output, output_unit), (given, input_unit) = map(_name_and_unit, (outputs[i], inputs[j]))
        units.add(f"{output_unit}/({input_unit})" if " " in input_unit else f"{output_unit}/{input_unit}")
        style = {"color": colour(k), "linestyle": line_style(k)}
        curve, label = response[:, i, j], f"{given} to {output}"
        magnitude.loglog(frequencies, np.abs(curve), label=label, gid=label, **style)
        phase.semilogx(*phase_with_gaps(frequencies, curve), gid=f"phase of {label}", **style)
        if "simulated_response" in result:
            _dots(
                magnitude,
                phase,
                result["simulated_frequency"],
                result["simulated_response"][:, i, j],
                ".",
                label,
                colour(k),
            )
        if "measured_response" in result:
            _dots(
                magnitude, phase, result["measured_frequency"], result["measured_response"], "+", label, INK
            )
        zeros = result["channel_zero"][i, j]
        _mark(plane, zeros[:, 0] + 1j * zeros[:, 1], top, "o", colour(k), f"zeros of {label}")
    listed = result["model_pole" if "model_pole" in result else "pole"]
    _mark(plane, listed[:, 0] + 1j * listed[:, 1], top, "x", INK, "poles")
    magnitude.set_ylabel(f"magnitude ({units.pop()})" if len(units) == 1 else "magnitude (SI units)")
    magnitude.tick_params(labelbottom=False)
    phase.set(ylabel="phase (deg)", xlabel="frequency (Hz)")
    phase.yaxis.set_major_locator(MultipleLocator(90))
    magnitude.sharex(phase)
    steps = (1.0,) if frequencies[-1] > WIDE * frequencies[0] else (1.0, 2.0, 5.0)
    phase.xaxis.set_major_locator(LogLocator(base=10, subs=steps))
    phase.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    phase.xaxis.set_minor_formatter(NullFormatter())
    plane.axvline(0.0, color=INK, linewidth=0.6)
    plane.set_xscale("symlog", linthresh=np.pi * frequencies[0])
    plane.set_yscale("symlog", linthresh=frequencies[0])
    plane.set(
        title="poles ×, zeros ○",
        xlabel="real part (1/s)",
        ylabel="imaginary part (Hz)",
        ylim=(-0.1 * frequencies[0], top),
    )
    tens = 10.0 ** np.arange(np.ceil(np.log10(np.pi * frequencies[0])) + 1, 12, 2)
    plane.set_xticks([*-tens[::-1], 0.0, *tens])
    plane.set_xlim(*_around(plane))
    legend_beside(magnitude)
    return figure


def _dots(
    magnitude: Axes,
    phase: Axes,
    frequencies: np.ndarray,
    parts: np.ndarray,
    marker: str,
    label: str,
    tone: str,
) -> None:
    """Draw single values of a response (k, 2): of the nonlinear arm, or measured ones."""
    values, what = parts[:, 0] + 1j * parts[:, 1], "simulated" if marker == "." else "measured"
    magnitude.loglog(frequencies, np.abs(values), marker, color=tone, markersize=4, gid=f"{what} {label}")
    phase.semilogx(
        frequencies,
        np.degrees(np.angle(values)),
        marker,
        color=tone,
        markersize=4,
        gid=f"{what} phase of {label}",
    )


def phase_with_gaps(frequencies: np.ndarray, curve: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and phases [deg] between -180 and 180, with gaps where they pass from one end to the other."""
    phase = np.degrees(np.angle(curve))
    turns = np.flatnonzero(np.abs(np.diff(phase)) > WHOLE_TURN) + 1
    return np.insert(frequencies, turns, np.nan), np.insert(phase, turns, np.nan)


def _around(plane: Axes) -> tuple[float, float]:
    """Limits of the real parts [1/s] of all that is marked, with room at both ends."""
    shown = np.concatenate([line.get_xdata()[:] for line in plane.lines[:-1]])  # pyright: ignore
    return 1.5 * min(float(shown.min(initial=0.0)), -1.0), 1.5 * max(float(shown.max(initial=0.0)), 1.0)


def _mark(axes: Axes, points: np.ndarray, top: float, marker: str, tone: str, gid: str) -> None:
    """Mark poles or zeros [1/s] up to a frequency [Hz], of pairs the one in the upper half plane."""
    points = points[np.isfinite(points) & (np.abs(points) <= 2 * np.pi * top) & (np.imag(points) >= 0)]
    axes.plot(
        np.real(points),
        np.imag(points) / (2 * np.pi),
        marker,
        color=tone,
        markerfacecolor="none",
        markersize=5,
        gid=gid,
    )


def _name_and_unit(text: str) -> tuple[str, str]:
    name, _, unit = text.partition(" [")
    return name, unit.rstrip("]")
