"""Memory of a long run: 1e6 samples of the Usoro arm, streamed into a file and drawn from it.

The target is a peak below 500 MB for computing and writing.

Run: python benchmarks/memory.py [--quick]
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table

import flexarm

SAMPLES, QUICK_SAMPLES = 1_000_000, 10_000
SAMPLE = 1e-4  # s
TARGET = 500.0  # MB
ROBOT = Path(__file__).parents[1] / "robots" / "usoro_two_link.yaml"


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    quick = is_quick(__doc__)
    print(f"{heading('flexarm', 'h5py', 'matplotlib', quick=quick)}; wall time")
    samples = QUICK_SAMPLES if quick else SAMPLES
    arm = flexarm.load_arm(ROBOT)
    run = arm.run.model_copy(update={"sample": SAMPLE, "duration": (samples - 1) * SAMPLE})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "usoro.h5"
        start = time.perf_counter()
        result = flexarm.simulate(arm.model_copy(update={"run": run}), output=path)
        seconds, written = time.perf_counter() - start, peak_megabytes()

        from flexarm.plots.drawing.saving import save_figure
        from flexarm.plots.registry import standard_figures  # counts for the pictures

        start = time.perf_counter()
        for name, draw in standard_figures(result).items():
            save_figure(draw(), Path(folder) / f"{name}.png")
        drawing, drawn = time.perf_counter() - start, peak_megabytes()
        size = path.stat().st_size / 1e6
    print(
        f"{result.n_samples} samples, {size:.0f} MB; in the integrator {result.attributes['solve_seconds']:.1f} s"
    )
    rows = [
        ("computing and writing", f"{written / TARGET:.2f}", f"{written:.0f}", f"{seconds:.1f}"),
        ("all pictures", None, f"{drawn:.0f}", f"{drawing:.1f}"),
    ]
    print_table(("", "of its target", "peak MB", "s"), rows)


if __name__ == "__main__":
    main()
