"""Convergence of a run as text: table of the trials, estimate of the error, cheapest description."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flexarm.cli.terminal.console import Console

if TYPE_CHECKING:
    from flexarm.analysis.convergence.converge import Convergence
    from flexarm.analysis.convergence.trial import Trial

HEADS = ("", "segments", "modes", "rtol", "steps", "operations", "time", "tip", "deflection", "frequency")


def report_convergence(found: Convergence, console: Console) -> None:
    """List all trials, then the estimate of the error and the cheapest description."""
    start, finest = found.trials[0], found.reference.trial
    relative = f"{found.accuracy / found.length:.2g} of the longest link"
    console.write(
        f"{found.arm.name}: tip to {length(found.accuracy)} ({relative}) over {found.arm.run.duration:g} s; "
        "largest differences from the finest run"
    )
    head = HEADS if start.resolution.step is None else (*HEADS[:3], "step", *HEADS[4:])
    console.table([head, *(_row(trial, found) for trial in found.trials)], "<" + ">" * (len(HEADS) - 1))
    for trial in found.failures:
        console.write(f"  {trial.label} ({_keys(trial)}): {trial.failure}")
    console.write()
    _estimate(found, console)
    if given := [str(i) for i, link in enumerate(found.arm.links, 1) if link.matrices is not None]:
        which = " and ".join(given)
        console.write(
            f"the modes of link {which} are those of its matrices; what these leave out is not in the error"
        )
    _cheapest(found, console)
    if finest is not start and found.known:
        console.detail(f"the finest run is itself wrong by about {length(found.reference.rest)}")


def _estimate(found: Convergence, console: Console) -> None:
    start, reference = found.trials[0], found.reference
    if math.isinf(found.estimate):
        console.write(
            f"the error of the description as given is not known: {reference.reason}{_parts(found)}"
        )
    elif found.known:
        parts = f"{found.estimate / found.length:.1e} of the longest link"
        console.write(
            f"error of the tip as described: about {length(found.estimate)}, {parts}{_parts(found)}"
        )
    else:
        console.write(
            f"not converged ({reference.reason}): the finest run is itself wrong by {length(reference.rest)} or so, "
            f"and the description is {length(start.distance(reference.trial))} away from it"
        )
        if found.agreement < found.arm.run.duration:
            console.write(f"the two agree to {length(found.accuracy)} until t = {found.agreement:.3g} s")
        if found.sensitive:
            console.write(
                f"the motion is sensitive to initial values: a tolerance of {found.arm.run.rtol:g} grows "
                f"{found.sensitivity:.0e} times; compare shorter runs, or what does not depend on single paths"
            )


def _parts(found: Convergence) -> str:
    """What each refinement of the description changes."""
    changes = [f"{name} change it by {length(value)}" for name, value in found.reference.differences.items()]
    return f" ({', '.join(changes)})" if changes else ""


def _cheapest(found: Convergence, console: Console) -> None:
    best, start = found.cheapest, found.trials[0]
    if best is None:
        return
    error = best.distance(found.reference.trial) + found.reference.rest
    if best is start:
        console.write(f"no cheaper description was found that reaches {length(found.accuracy)}")
        return
    cost = best.operations / start.operations
    console.write(
        f"least cost for {length(found.accuracy)}: {_keys(best)}, error about {length(error)}, "
        f"{cost:.2g} times the operations of the description"
    )


def _row(trial: Trial, found: Convergence) -> tuple[str, ...]:
    finest, start = found.reference.trial, found.trials[0]
    marks = [
        name
        for name, one in (("finest", finest), ("least cost", found.cheapest))
        if trial is one and trial is not start
    ]
    label = trial.label + (f" ({', '.join(marks)})" if marks else "")
    resolution, same = trial.resolution, trial is finest
    frequency = trial.frequency_difference(finest)
    return (
        label,
        _list([str(link.segments) for link in resolution.links]),
        _list([_counts(link.modes) for link in resolution.links]),
        f"{resolution.rtol if resolution.step is None else resolution.step:.3g}",
        f"{trial.steps}",
        f"{trial.operations:.1e}",
        f"{1e3 * trial.seconds:.1f} ms" if trial.seconds < 1 else f"{trial.seconds:.1f} s",
        "" if same else length(trial.distance(finest)),
        "" if same else length(trial.deflection_difference(finest)),
        "" if same or math.isnan(frequency) else f"{frequency:.1e}",
    )


def _keys(trial: Trial) -> str:
    resolution = trial.resolution
    texts = (
        [f"modes {_list([_counts(link.modes) for link in resolution.links])}"] if resolution.flexible else []
    )
    if any(link.segments > 1 for link in resolution.links):
        texts.insert(0, f"segments {_list([str(link.segments) for link in resolution.links])}")
    last = f"rtol {resolution.rtol:.3g}" if resolution.step is None else f"step {resolution.step:.3g}"
    return ", ".join([*texts, last])


def _counts(modes: tuple) -> str:
    """Numbers of modes by direction: 3, or 3y+3z+1t."""
    if not modes:
        return "0"
    if len(modes) == 1 and modes[0].direction == "y":
        return str(modes[0].count)
    return "+".join(f"{own.count}{own.direction[0]}" for own in modes)


def _list(values: list[str]) -> str:
    """One value where all links have the same."""
    return values[0] if len(set(values)) == 1 else ", ".join(values)


def length(metres: float) -> str:
    """Write a length in the unit in which it reads well."""
    for factor, unit in ((1.0, "m"), (1e3, "mm"), (1e6, "um")):
        if metres * factor >= 0.1 or unit == "um":
            return f"{metres * factor:.2g} {unit}"
    raise AssertionError
