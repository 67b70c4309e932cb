"""What recording the loads of joints and sections costs, with the stress of sections that are known.

Of each arm: integration; all observables of its samples, without and with `record: [loads]`, the latter with the
largest stress of every section; by how much integration and recording together take longer; and writing the result to
a file, without and with loads, which takes time by megabytes. Derivation and compilation are left out. Least processor
time.

Run: python benchmarks/loads.py [--quick]
"""

import tempfile
from pathlib import Path

import numpy as np
from measuring.machine import heading
from measuring.options import is_quick
from measuring.table import print_table
from measuring.timing import in_turn

import flexarm
from flexarm.results.writer import ResultWriter
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.run import BLOCK
from flexarm.simulation.state.recorded_stress import StressRecorder

ROBOTS = Path(__file__).parents[1] / "robots"
ARMS = (
    "usoro_two_link",
    "servo_arm",
    "flexible_pendulum",
    "payload_two_link",
    "crane_boom",
    "spatial_three_link",
    "spatial_six_joint",
    "lattice_boom",
    "soft_pendulum",
)
BUDGET, QUICK_BUDGET = 2.0, 0.1  # s for each comparison


class RecordedRun:
    """A run of an arm that records some datasets besides the usual ones."""

    def __init__(self, arm, record):
        arm = arm.model_copy(update={"run": arm.run.model_copy(update={"record": record})})
        self._arm, self._model, self._with_stress = arm, ParametricModel([arm]), StressRecorder(arm)
        self.run = prepare_run(arm, "", self._model)
        self.blocks = [self._with_stress(block) for block in self.run.blocks()]
        self.n_samples = self.run.n_samples
        self.size = sum(array.nbytes for block in self.blocks for array in block.values())
        self._states = 0.01 * np.random.default_rng(0).normal(
            size=(self.n_samples, self.run.state_equation.layout.size)
        )
        self._times = np.linspace(0, arm.run.duration, self.n_samples)

    def integrate(self):
        """Integrate and record; return the time that was spent in the integrator alone [s]."""
        run = prepare_run(self._arm, "", self._model)
        for _ in run.blocks():
            pass
        return run.solve_seconds

    def record(self):
        """Evaluate all that is recorded of the samples."""
        equations, p = self.run.state_equation, self.run.instance.parameters
        for first in range(0, self.n_samples, BLOCK):
            rows = slice(first, first + BLOCK)
            self._with_stress(equations.observe(self._times[rows], self._states[rows], p))

    def write(self, path):
        """Write the result."""
        with ResultWriter(path, overwrite=True) as writer:
            for block in self.blocks:
                writer.append(block)
            writer.finish(self.run.attributes, self.run.instants)


def main():
    quick = is_quick(__doc__)
    arms, budget, repeats = (ARMS[:2], QUICK_BUDGET, 1) if quick else (ARMS, BUDGET, 9)
    print(heading("flexarm", "casadi", "llvmlite", quick=quick))
    rows = []
    for name in arms:
        arm = flexarm.load_arm(ROBOTS / f"{name}.yaml")
        plain, loaded = RecordedRun(arm, ()), RecordedRun(arm, ("loads",))
        solved = min(plain.integrate() for _ in range(repeats))
        recorded = in_turn({"plain": plain.record, "loads": loaded.record}, budget)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.h5"
            written = in_turn(
                {
                    "plain": lambda run=plain, p=path: run.write(p),
                    "loads": lambda run=loaded, p=path: run.write(p),
                },
                budget,
            )
        usual, more = recorded["plain"].fastest, recorded["loads"].fastest
        rows.append(
            [
                name,
                f"{plain.n_samples}",
                f"{1e3 * solved:.2f}",
                f"{1e3 * usual:.2f}",
                f"{1e3 * more:.2f}",
                f"{100 * (more - usual) / (solved + usual):.0f} %",
                f"{1e3 * written['plain'].fastest:.0f}",
                f"{1e3 * written['loads'].fastest:.0f}",
                f"{(loaded.size - plain.size) / 1e6:.1f}",
            ]
        )
    columns = (
        "samples",
        "integrate ms",
        "record ms",
        "with loads",
        "more",
        "write ms",
        "with loads",
        "more MB",
    )
    print_table(("", *columns), rows)


if __name__ == "__main__":
    main()
