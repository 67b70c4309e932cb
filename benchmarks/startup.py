"""Time from the command line to the answer: help, first and second simulation, and what importing takes of it.

The first start finds no object code and compiles integrator and equations; the second loads both. Targets: help under
0.3 s, second start of the Usoro run under 1.2 s. Wall time and processor time of whole processes, which take turns.

Run: python benchmarks/startup.py [--quick]
"""

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import SpeedRow, print_speed_rows, print_table

REPETITIONS, QUICK_REPETITIONS = 7, 1
TARGETS = {"flexarm --help": 0.3, "simulate, second start": 1.2}  # s
ROWS = {
    "flexarm --help": "`flexarm --help`, the whole process",
    "simulate, second start": "second start of a simulation, the whole process",
}
ROBOT = Path(__file__).parents[1] / "robots" / "usoro_two_link.yaml"
START = "import sys; from flexarm.cli.entry import run; sys.argv[0] = 'flexarm'; run()"
PACKAGES = ("casadi", "h5py", "llvmlite", "numpy", "pydantic", "scipy")
IMPORT = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)")
LARGEST = 10


def process(arguments, folder, options=()):
    """Wall and processor seconds of one process, and what it wrote to stderr."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *options, "-c", START, *arguments],
        env=environment, cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr


def imports(stderr):
    """Milliseconds that each top-level package takes for importing, from -X importtime."""
    spent = defaultdict(float)
    for own, name in IMPORT.findall(stderr):
        spent[name.partition(".")[0]] += int(own) / 1e3
    return spent


def main():
    quick = is_quick(__doc__)
    repetitions = QUICK_REPETITIONS if quick else REPETITIONS
    print(f"{heading('flexarm', *PACKAGES, quick=quick)}; medians of {repetitions}, the first start once")
    simulate = ["simulate", str(ROBOT), "--overwrite", "-q"]
    commands = dict(zip(TARGETS, (["--help"], simulate), strict=True))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process(["--help"], folder)  # byte code
        rows = [["simulate, first start", None, *(f"{one:.2f}" for one in process(simulate, folder)[:2])]]
        taken = {label: [] for label in commands}
        for _ in range(repetitions):
            for label, arguments in commands.items():
                taken[label].append(process(arguments, folder)[:2])
        speed = []
        for label, times in taken.items():
            wall, busy = (statistics.median(column) for column in zip(*times, strict=True))
            speed.append(SpeedRow(ROWS[label], wall))
            rows.append([label, f"{wall / TARGETS[label]:.2f}", f"{wall:.2f}", f"{busy:.2f}"])
        spent = imports(process(simulate, folder, ["-X", "importtime"])[2])
    print_table(("", "of its target", "wall s", "processor s"), rows)
    largest = sorted(spent.items(), key=lambda item: -item[1])[:LARGEST]
    rows = [(package, f"{milliseconds:.0f}") for package, milliseconds in largest]
    print_table(("importing", "ms"), [("all of the second start", f"{sum(spent.values()):.0f}"), *rows])
    print_speed_rows(__file__, speed)


if __name__ == "__main__":
    main()
