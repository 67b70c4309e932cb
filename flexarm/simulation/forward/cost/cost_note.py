"""Sentence about the cost of a run: how long it takes, why, and what would help."""

from __future__ import annotations

import math
from collections.abc import Iterator

from flexarm.catalogue import BEAM_DIRECTIONS, METHODS
from flexarm.memory import rough_duration
from flexarm.progress import grouped
from flexarm.simulation.forward.cost.fastest_motion import FastestMotion, fastest_motion
from flexarm.simulation.forward.cost.run_cost import RunCost
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.solvers.stability import longest_stable_step

STABILITY_BOUND = 2.5
"""Angle [rad] that the fastest motion makes in a step, from which DOP853 steps as far as it is stable, which is 5.9.

Where a vibration shows in the states, rtol = 1e-6 allows 1.7 to 2, 1e-9 0.4 to 0.8.
"""
LEAST_ANGLE = 0.03  # rad, in a step: motions that are slower are not what makes steps short
USUAL_RTOL = 1e-6
"""Relative tolerance that is proposed in the place of a tighter one."""


def cost_note(run: SingleRun, cost: RunCost) -> str:
    """Sentence about a run that takes long: how long, why, and what would help."""
    settings, head = run.instance.arm.run, f"this run takes {rough_duration(cost.seconds)}"
    if cost.recording > 0.5:
        return (
            f"{head}, mostly to record {grouped(run.n_samples)} samples; what would help: a larger run.sample"
        )
    step = settings.duration / cost.steps
    causes = [f"{grouped(_rounded(1 / step))} steps of {run.present_method} for a second of motion"]
    fastest = fastest_of(run)
    if fastest is not None and abs(fastest.pole) * step < LEAST_ANGLE:
        fastest = None
    if fastest is not None:
        causes.append(f"whose fastest part is {fastest}")
    impacts = sum(len(run.impacts.get(name, ())) for name in ("impact_time", "limit_impact_time"))
    if impacts:
        causes.append(f"{grouped(impacts)} impacts in the first {run.integration.t:.2g} s")
    remedies = " or ".join(_remedies(run, fastest, step))
    return f"{head}: {', '.join(causes)}" + (f"; what would help: {remedies}" if remedies else "")


def fastest_of(run: SingleRun) -> FastestMotion | None:
    """Fastest small motion about the initial state."""
    problem, layout = run.integration.problem, run.state_equation.layout
    rhs = run.state_equation.native_rhs.at(run.instance.parameters)
    return fastest_motion(rhs, problem.t0, problem.y0[: layout.size], run.instance.chain, layout)


def _remedies(run: SingleRun, fastest: FastestMotion | None, step: float) -> Iterator[str]:
    """What would make a run quicker with fewer or cheaper steps than those of mean length `step` [s]."""
    settings = run.instance.arm.run
    method = METHODS[run.present_method]
    if not method.adaptive:
        longest = longest_stable_step(run.present_method, [] if fastest is None else [fastest.pole])
        if step < longest < math.inf:
            yield f"run.step up to {longest:.2g} s"
        return
    explicit = not method.needs_jacobian
    bounded = explicit and fastest is not None and abs(fastest.pole) * step > STABILITY_BOUND
    if settings.rtol < USUAL_RTOL and not bounded:
        yield f"rtol: {USUAL_RTOL:g}"
    if fastest is None or (fastest.is_stiff and not explicit):
        return
    if fastest.is_stiff and bounded:
        yield "method: radau"
    if not explicit:
        yield "method: dop853"
    part = fastest.part
    if part.kind == "link":
        link = run.instance.arm.links[part.number - 1]
        if part.direction not in BEAM_DIRECTIONS:
            yield f"no {part.direction} modes of link {part.number}"
        yield f"fewer {'segments or ' if link.segments > 1 else ''}modes of link {part.number}"
    elif part.kind != "base":
        yield f"less stiffness, gain or friction at joint {part.number}"


def _rounded(number: float) -> int:
    """Two significant digits of a large number."""
    return int(float(f"{number:.2g}"))
