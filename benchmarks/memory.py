"""Memory of a long run: 1e6 samples of the Usoro arm, streamed into a file and drawn from it.

Run with `python benchmarks/memory.py`; the target is a peak below 500 MB for computing and writing.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from measuring.machine import heading

import flexarm

SAMPLES = 1_000_000
ROBOT = Path(__file__).parents[1] / "robots" / "usoro_two_link.yaml"


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    print(heading("flexarm", "h5py", "matplotlib"))
    arm = flexarm.load_arm(ROBOT)
    run = arm.run.model_copy(update={"sample": 1e-4, "duration": (SAMPLES - 1) * 1e-4})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "usoro.h5"
        start = time.perf_counter()
        result = flexarm.simulate(arm.model_copy(update={"run": run}), output=path)
        seconds, size = time.perf_counter() - start, path.stat().st_size / 1e6
        print(
            f"{result.n_samples} samples, {size:.0f} MB: {seconds:.1f} s, of these in the integrator ", end=""
        )
        print(f"{result.attributes['solve_seconds']:.1f} s; peak {peak_megabytes():.0f} MB resident")

        from flexarm.plots.registry import standard_figures
        from flexarm.plots.saving import save_figure

        start = time.perf_counter()
        for name, draw in standard_figures(result).items():
            save_figure(draw(), Path(folder) / f"{name}.png")
        print(f"all pictures: {time.perf_counter() - start:.1f} s; peak {peak_megabytes():.0f} MB resident")


if __name__ == "__main__":
    main()
