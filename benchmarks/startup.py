"""Time from the command line to the answer: help, first and second simulation, and what importing takes of it.

The first start finds no object code and compiles integrator and equations; the second loads both. Targets: help under
0.3 s, second start of the Usoro run under 1.2 s. Wall time and processor time of whole processes.
Run: python benchmarks/startup.py
"""

import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from measuring.machine import heading
from measuring.table import print_table

REPETITIONS = 7
ROBOT = Path(__file__).parents[1] / "robots" / "usoro_two_link.yaml"
START = "import sys; from flexarm.cli.entry import run; sys.argv[0] = 'flexarm'; run()"
PACKAGES = ("casadi", "h5py", "llvmlite", "numba", "numpy", "pydantic", "scipy")
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
    spent = Counter()
    for own, name in IMPORT.findall(stderr):
        spent[name.partition(".")[0]] += int(own) / 1e3
    return spent


def main():
    print(f"{heading('flexarm', *PACKAGES)}; medians of {REPETITIONS}")
    simulate = ["simulate", str(ROBOT), "--overwrite", "-q"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process(["--help"], folder)  # byte code
        rows = [("simulate, first start", *(f"{one:.2f}" for one in process(simulate, folder)[:2]))]
        for label, arguments in {"flexarm --help": ["--help"], "simulate, second start": simulate}.items():
            times = [process(arguments, folder)[:2] for _ in range(REPETITIONS)]
            rows.append((label, *(f"{statistics.median(column):.2f}" for column in zip(*times, strict=True))))
        spent = imports(process(simulate, folder, ["-X", "importtime"])[2])
    print_table(("", "wall s", "processor s"), rows)
    rows = [(package, f"{milliseconds:.0f}") for package, milliseconds in spent.most_common(LARGEST)]
    print_table(("importing", "ms"), [("all of the second start", f"{sum(spent.values()):.0f}"), *rows])


if __name__ == "__main__":
    main()
