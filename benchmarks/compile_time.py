"""Time from an arm to machine code, against the number of instructions, first and second start.

The steps: derive (CasADi), list (instructions, each value once), text (LLVM assembly), compile (LLVM), load (object
code that an earlier process has kept). All links shorten as they bend. Some arms have a target for the first start,
and are compared with it. Seconds are of processor time, since compiling runs on one core and other work should not
count.
Run: python benchmarks/compile_time.py [--quick]
"""

import os
import statistics
import tempfile
import time
from typing import NamedTuple

import numpy as np
import yaml
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

from flexarm.codegen.instructions import eliminate_common_subexpressions, instructions, share_reciprocals
from flexarm.codegen.llvm.function_bodies import program_text
from flexarm.codegen.native import compile_native
from flexarm.description import parse_arm
from flexarm.description.arm.arm import Arm
from flexarm.simulation.state.symbols import SymbolicState

REPETITIONS = 3
CALLS = 200
ROUNDS = 9


def spatial(n):
    """Arm in space: two modes along y and two along z on every link, joint axes in turn at right angles."""
    link = {
        "length": 5.0 / n,
        "mu": 5.0,
        "EI": {"y": 1000.0, "z": 1000.0},
        "modes": [{"family": "clamped-free", "count": 2, "direction": d} for d in "yz"],
    }
    joints = [{"twist": 0.0}, *({"twist": "90 deg" if i % 2 else "-90 deg"} for i in range(1, n))]
    return arm([link] * n, joints)


def planar(n):
    """Arm in the plane with two modes on every link."""
    link = {
        "length": 10.0 / n,
        "mu": 5.0,
        "EI": 1000.0,
        "modes": {"family": "clamped-free", "count": 2},
    }
    return arm([link] * n, [{}] * n)


def segmented(n, modes):
    """One soft link of n segments."""
    link = {"length": 1.0, "mu": 10.0, "EI": {"y": 20.0, "z": 30.0}, "segments": n, "modes": modes}
    return arm([link], [{}])


def arm(links, joints):
    description = {
        "name": "chain",
        "links": links,
        "joints": joints,
        "run": {"duration": 1.0, "sample": 0.01},
    }
    return parse_arm(yaml.dump(description, Dumper=_NoAliases), source="chain.yaml")


class _NoAliases(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


class Case(NamedTuple):
    """An arm, and the first start that is aimed at [s], if any."""

    links: str
    arm: Arm
    target: float | None = None


def cases(quick):
    """All arms, or the smallest ones."""
    yield Case("7 in space, 4 modes", spatial(7))
    if quick:
        yield Case("1 planar, 4 segments", segmented(4, [{"family": "polynomial", "count": 3}]), 2.0)
        return
    yield Case("15 in space, 4 modes", spatial(15))
    yield Case("30 in space, 4 modes", spatial(30), 5.0)
    yield Case("25 planar, 2 modes", planar(25))
    yield Case("100 planar, 2 modes", planar(100), 4.0)
    yield Case("1 planar, 32 segments", segmented(32, [{"family": "polynomial", "count": 3}]), 2.0)
    both = [{"family": "polynomial", "count": 2, "direction": d} for d in "yz"]
    yield Case("1 in space, 24 segments", segmented(24, both), 4.0)


def state_equation(description):
    symbols = SymbolicState.of(description)
    applied = symbols.applied_forces()
    return symbols.function("rhs", symbols.y_rate(symbols.accelerations(applied), applied))


def seconds(action):
    """Processor time of an action, and its result."""
    begin = time.process_time()
    result = action()
    return time.process_time() - begin, result


def measured(description):
    """Seconds of every step, the compiled function."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        derive, f = seconds(lambda: state_equation(description))
        walk, program = seconds(lambda: share_reciprocals(eliminate_common_subexpressions(instructions(f))))
        text, _ = seconds(lambda: program_text(program))
        first, native = seconds(lambda: compile_native(f))
        second, _ = seconds(lambda: compile_native(f))
    return (derive, walk, text, first - walk - text, second - walk - text), native


def microseconds(native):
    """Processor time of an evaluation, median of several rounds."""
    states = np.random.default_rng(0).uniform(-0.1, 0.1, (CALLS, native.n_y))
    rounds = []
    for _ in range(ROUNDS):
        rounds.append(seconds(lambda: native.map(np.zeros(CALLS), states))[0])
    return 1e6 * statistics.median(rounds) / CALLS


def main():
    quick = is_quick(__doc__)
    repetitions = 1 if quick else REPETITIONS
    print(
        f"{heading('flexarm', 'casadi', 'llvmlite', quick=quick)}; processor time, medians of {repetitions}"
    )
    rows = []
    for links, description, target in cases(quick):
        runs = [measured(description) for _ in range(repetitions)]
        *before, compile_, load = (
            statistics.median(taken) for taken in zip(*(one[0] for one in runs), strict=True)
        )
        native, first, second = runs[0][1], sum(before) + compile_, sum(before) + load
        of_target = None if target is None else f"{first / target:.2f}"
        cells = (f"{taken:.2f}" for taken in (*before, compile_, load, first, second, microseconds(native)))
        rows.append((links, of_target, native.instructions, *cells))
    steps = ("derive", "list", "text", "compile", "load", "first s", "second s", "run us")
    print_table(("links", "of its target", "instructions", *steps), rows)


if __name__ == "__main__":
    main()
