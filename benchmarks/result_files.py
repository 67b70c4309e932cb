"""Cost of checksums and digest of result files: of a long run's time, and until a file of 1 GB is open.

The targets are less than 10 % of a long run and less than 2 s. Runs with and without alternate, and their medians are
compared. The runs are those of the Usoro arm: sampled as in its description, and so densely that it does little but
write.

Run: python benchmarks/result_files.py [--quick]
"""

from __future__ import annotations

import statistics
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import h5py
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import SpeedRow, print_speed_rows, print_table

import flexarm
from flexarm.results import hdf5_output

ROBOT = Path(__file__).parents[1] / "robots" / "usoro_two_link.yaml"
RUNS = {"sampled every 10 ms": (1e-2, 1000.0), "sampled every 0.1 ms": (1e-4, 50.0)}
"""Sample and duration [s]."""
QUICK_PART = 0.01
"""Of the durations and of the large file, with --quick."""
ROUNDS, QUICK_ROUNDS = 5, 1
GIGABYTE = 1e9
OPENING_TARGET = 2.0  # s


@contextmanager
def without_protection():
    """Write files without checksums and digest, as nobody could open them."""
    create, digest = h5py.Group.create_dataset, hdf5_output.write_digest

    def unchecked(*arguments, fletcher32=False, **options):
        return create(*arguments, **options)

    h5py.Group.create_dataset, hdf5_output.write_digest = unchecked, lambda file: None
    try:
        yield
    finally:
        h5py.Group.create_dataset, hdf5_output.write_digest = create, digest


def processor_time(arm, path: Path) -> float:
    """Time of a run that writes a file [s]."""
    begin = time.process_time()
    try:
        flexarm.simulate(arm, output=path, overwrite=True)
    except flexarm.ResultError:  # it has no digest
        path.unlink(missing_ok=True)
    return time.process_time() - begin


def main() -> None:
    quick = is_quick(__doc__)
    part, rounds = (QUICK_PART, QUICK_ROUNDS) if quick else (1.0, ROUNDS)
    print(f"{heading('flexarm', 'h5py', 'numpy', quick=quick)}; medians of {rounds}")
    arm = flexarm.load_arm(ROBOT)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.h5"
        flexarm.simulate(arm, output=path)  # compiles
        rows = [
            (name, *checksum_costs(lasting(arm, sample, part * duration), path, rounds))
            for name, (sample, duration) in RUNS.items()
        ]
        print_table(
            ("processor time of a run", "more with checksums and digest", "with s", "without s", "MB"), rows
        )
        sample, duration = RUNS["sampled every 0.1 ms"]
        bytes_per_second = path.stat().st_size / (part * duration)
        large = lasting(arm, sample, part * GIGABYTE / bytes_per_second)
        flexarm.simulate(large, output=path, overwrite=True)
        times = []
        for _ in range(rounds):
            begin = time.perf_counter()
            flexarm.open_result(path)
            times.append(time.perf_counter() - begin)
        wall = statistics.median(times)
        header = ("a large file, opened and checked", "of its target", "wall s", "GB")
        size = f"{path.stat().st_size / 1e9:.2f}"
        print_table(header, [("the same, longer", f"{wall / OPENING_TARGET:.2f}", f"{wall:.2f}", size)])
    print_speed_rows(__file__, [SpeedRow("a result of 1 GB, opened with its digest checked", wall)])


def lasting(arm: flexarm.Arm, sample: float, duration: float) -> flexarm.Arm:
    """Change sample and duration [s] of an arm's run."""
    return arm.model_copy(update={"run": arm.run.model_copy(update={"sample": sample, "duration": duration})})


def checksum_costs(arm: flexarm.Arm, path: Path, rounds: int) -> tuple[str, ...]:
    """Cells of a table: more processor time with checksums and digest, both times, size of the file."""
    protected, bare = [], []
    for _ in range(rounds):
        with without_protection():
            bare.append(processor_time(arm, path))
        protected.append(processor_time(arm, path))
    with_them, without = statistics.median(protected), statistics.median(bare)
    size = f"{path.stat().st_size / 1e6:.0f}"
    return f"{with_them / without - 1:.1%}", f"{with_them:.3f}", f"{without:.3f}", size


if __name__ == "__main__":
    main()
