"""Time from the command line to the answer: help, first and second simulation, and what importing takes of it.

The first start finds no object code and compiles integrator and equations; the second loads both. Targets: help under
0.3 s, second start of the Usoro run under 1.2 s. Wall time and processor time of whole processes.
Run: python benchmarks/startup.py
"""

import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path

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
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    print(f"{platform.machine()}, Python {platform.python_version()}, {versions}; medians of {REPETITIONS}")
    simulate = ["simulate", str(ROBOT), "--overwrite", "-q"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process(["--help"], folder)  # byte code
        first = process(simulate, folder)[:2]
        rows = {"flexarm --help": ["--help"], "simulate, second start": simulate}
        print(f"{'':>24} {'wall s':>8} {'processor s':>12}")
        print(f"{'simulate, first start':>24} {first[0]:8.2f} {first[1]:12.2f}")
        for label, arguments in rows.items():
            times = [process(arguments, folder)[:2] for _ in range(REPETITIONS)]
            wall, processor = (statistics.median(column) for column in zip(*times, strict=True))
            print(f"{label:>24} {wall:8.2f} {processor:12.2f}")
        spent = imports(process(simulate, folder, ["-X", "importtime"])[2])
    print(f"importing takes {sum(spent.values()):.0f} ms of the second start:")
    for package, milliseconds in spent.most_common(LARGEST):
        print(f"{package:>24} {milliseconds:8.0f} ms")


if __name__ == "__main__":
    main()
