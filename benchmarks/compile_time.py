"""Time from an arm to machine code, against the number of instructions, first and second start.

The steps: derive (CasADi), list (instructions, each value once), text (LLVM assembly), compile (LLVM), load (object
code that an earlier process has kept). All links shorten as they bend. Targets: 30 links in space with 4 modes each
under 5 s, 100 planar links with 2 modes each under 4 s, a planar link of 32 segments with 3 modes under 2 s, one in
space of 24 segments with 4 modes under 4 s. Seconds are of processor time, since compiling runs on one core and other
work should not count.
Run: python benchmarks/compile_time.py
"""

import os
import statistics
import tempfile
import time

import numpy as np
import yaml
from measuring.machine import heading
from measuring.table import print_table

from flexarm.codegen.instructions import eliminate_common_subexpressions, instructions, share_reciprocals
from flexarm.codegen.llvm.function_bodies import program_text
from flexarm.codegen.native import compile_native
from flexarm.description import parse_arm
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


ARMS = {
    "7 in space, 4 modes": lambda: spatial(7),
    "15 in space, 4 modes": lambda: spatial(15),
    "30 in space, 4 modes": lambda: spatial(30),
    "25 planar, 2 modes": lambda: planar(25),
    "100 planar, 2 modes": lambda: planar(100),
    "1 planar, 32 segments": lambda: segmented(32, [{"family": "polynomial", "count": 3}]),
    "1 in space, 24 segments": lambda: segmented(
        24, [{"family": "polynomial", "count": 2, "direction": d} for d in "yz"]
    ),
}


def state_equation(description):
    symbols = SymbolicState.of(description)
    return symbols.function("rhs", symbols.y_rate(symbols.accelerations(symbols.applied_forces())))


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
    """Least time of an evaluation among several rounds."""
    states = np.random.default_rng(0).uniform(-0.1, 0.1, (CALLS, native.n_y))
    rounds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        native.map(np.zeros(CALLS), states)
        rounds.append(time.perf_counter() - begin)
    return 1e6 * min(rounds) / CALLS


def main():
    print(f"{heading('flexarm', 'casadi', 'llvmlite')}; processor time, medians of {REPETITIONS}")
    rows = []
    for name, make in ARMS.items():
        runs = [measured(make()) for _ in range(REPETITIONS)]
        steps = [statistics.median(taken) for taken in zip(*(one[0] for one in runs), strict=True)]
        *before, compile_, load = steps
        native = runs[0][1]
        totals = sum(before) + compile_, sum(before) + load
        cells = (f"{seconds:.2f}" for seconds in (*steps, *totals, microseconds(native)))
        rows.append((name, native.instructions, *cells))
    print_table(
        (
            "links",
            "instructions",
            "derive",
            "list",
            "text",
            "compile",
            "load",
            "first s",
            "second s",
            "run us",
        ),
        rows,
    )


if __name__ == "__main__":
    main()
