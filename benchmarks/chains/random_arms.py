"""Random arms in the plane, one to three soft links that a torque may shake, and where exact beams put their tips.

The tips are kept in random_arms.csv with the seeds of the arms whose links bend as far as wanted; to make them anew
takes some minutes.
Run: cd benchmarks; python -m chains.random_arms [ARMS]
"""

from __future__ import annotations

import csv
import math
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .exact_beams import GRAVITY, Beam, ExactBeams, Motion

TABLE = Path(__file__).with_name("random_arms.csv")
ARMS, MOST_LINKS = 30, 3
"""As many arms of one link as of two and of three."""
DURATION, INSTANTS = 1.0, 20
TIMES = np.linspace(0.0, DURATION, INSTANTS + 1)
TURNS = 0.2, 1.4
"""Largest turn of a link's end against its start in the motion, of the link that bends most [rad]."""
FUNCTIONS, AMONG = (4, 6, 8, 11), 16
"""That bend a link of the reference: ever more, until the tip moves less than CHANGE of the longest link."""
CHANGE = 1e-4
RTOL = 1e-5
"""Of the reference: the fastest vibration decides how long the steps are."""
TRIED = 3
"""Functions with which the turns of a candidate are found."""


@dataclass(frozen=True)
class RandomArm:
    """A chain of soft links, hinged one to another and to the base.

    Attributes
    ----------
    seed : int
    beams : tuple of Beam
    payload : float [kg]
    angles, rates : tuple of float [rad, rad/s]
        Of the joints at the start; the links are straight.
    torque : (size, rate) [N m, rad/s]
        Torque on the first joint, size sin(rate t). One that began with a jump would be a shock, which no moderate
        number of functions resolves to a ten-thousandth of the length.
    """

    seed: int
    beams: tuple[Beam, ...]
    payload: float
    angles: tuple[float, ...]
    rates: tuple[float, ...]
    torque: tuple[float, float]

    @classmethod
    def of(cls, seed: int) -> RandomArm:
        """Arm of a seed; it may bend less or more than wanted."""
        random = np.random.default_rng(seed)
        n = 1 + seed % MOST_LINKS
        lengths, mu = random.uniform(0.5, 1.2, n), random.uniform(0.5, 2.0, n)
        masses = mu * lengths
        payload = float(random.choice([0.0, random.uniform(0.05, 0.5) * masses[-1]]))
        # against the weight that each link would bear if it were clamped and stretched out
        beyond = np.append(np.cumsum((masses * lengths)[::-1])[::-1][1:], 0.0)
        load = GRAVITY * lengths * (masses * lengths / 2 + beyond + payload * lengths)
        stiffness = load * np.exp(random.uniform(np.log(0.05), np.log(1.5), n))
        angles = np.append(random.uniform(-math.pi, math.pi), random.uniform(-0.7, 0.7, n - 1))
        rates = random.normal(0.0, [1.5, 0.5, 0.5][:n])
        size = random.choice([0.0, 1.0]) * random.uniform(0.1, 0.5) * load[0] / lengths[0]
        torque = (float(size), float(random.uniform(2.0, 12.0)))
        beams = tuple(map(Beam, lengths.tolist(), mu.tolist(), stiffness.tolist()))
        return cls(seed, beams, payload, tuple(angles.tolist()), tuple(rates.tolist()), torque)

    @property
    def longest(self) -> float:
        """Length of its longest link [m]."""
        return max(beam.length for beam in self.beams)

    def text(self, segments: str | list[int], rtol: float = 1e-6) -> str:
        """Describe it for flexarm, with 3 modes and these segments: `auto`, or so many for each link."""
        numbers = segments if isinstance(segments, list) else [segments] * len(self.beams)
        links = "".join(
            f"- {{length: {beam.length!r}, mu: {beam.mu!r}, EI: {beam.bending!r}, segments: {count}, modes: 3}}\n"
            for beam, count in zip(self.beams, numbers, strict=True)
        )
        size, rate = self.torque
        drive = ", ".join([f'{{torque: "{size!r}*sin({rate!r}*t)"}}', *["null"] * (len(self.beams) - 1)])
        return (
            f"name: soft-{self.seed}\ngravity: [0, {-GRAVITY}, 0]\nlinks:\n{links}payload: {{mass: {self.payload!r}}}\n"
            f"initial: {{joints: {list(self.angles)}, joint_rates: {list(self.rates)}}}\ndrive: [{drive}]\n"
            f"run: {{duration: {DURATION}, sample: {DURATION / INSTANTS}, rtol: {rtol!r}, atol: {1e-2 * rtol!r}}}\n"
        )

    def exact(self, functions: int) -> Motion:
        """Motion of exact beams with so many functions each."""
        size, rate = self.torque
        torque = (lambda t: size * math.sin(rate * t)) if size else None
        beams = ExactBeams(self.beams, functions, self.payload, torque, AMONG)
        return beams.motion(np.cumsum(self.angles), TIMES, np.cumsum(self.rates), RTOL)


@dataclass(frozen=True)
class Reference:
    """Where exact beams put the tip of an arm.

    Attributes
    ----------
    arm : RandomArm
    turn : float [rad]
        Largest turn of a link's end in the motion.
    tips : (INSTANTS + 1,) complex [m]
    change : float [m]
        By how much the last refinement moved the tip.
    """

    arm: RandomArm
    turn: float
    tips: np.ndarray
    change: float


def read_references() -> list[Reference]:
    """Read what `main` has written."""
    with TABLE.open() as file:
        rows = list(csv.reader(file))[1:]
    found = []
    for seed, _, turn, change, *numbers in rows:
        tips = np.array(numbers, dtype=float).reshape(INSTANTS + 1, 2) @ [1, 1j]
        found.append(Reference(RandomArm.of(int(seed)), float(turn), tips, float(change)))
    return found


def suitable_seeds(count: int) -> list[int]:
    """First seeds of arms whose links bend as far as wanted, as many for each number of links."""
    found, seed = [], 0
    left = dict.fromkeys(range(1, MOST_LINKS + 1), count // MOST_LINKS)
    while any(left.values()):
        arm = RandomArm.of(seed)
        if left[len(arm.beams)] and TURNS[0] < np.abs(arm.exact(TRIED).turns).max() < TURNS[1]:
            left[len(arm.beams)] -= 1
            found.append(seed)
        seed += 1
    return found


def solve(seed: int) -> list[str]:
    """Row of an arm: seed, functions, turn, last change, and x and y of the tip over time."""
    arm, begin, tips, change = RandomArm.of(seed), time.perf_counter(), np.zeros(1), math.inf
    for functions in FUNCTIONS:
        motion = arm.exact(functions)
        change = float(np.abs(motion.tips - tips).max())
        tips = motion.tips
        if change < CHANGE * arm.longest:
            break
    turn = float(np.abs(motion.turns).max())
    print(f"seed {seed}: {len(arm.beams)} links, {turn:.2f} rad, {functions} functions, change {change:.1e} m, "
          f"{time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)  # fmt: skip
    parts = [f"{part:.9f}" for tip in tips for part in (tip.real, tip.imag)]
    return [str(seed), str(functions), f"{turn:.4f}", f"{change:.2e}", *parts]


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else ARMS
    with ProcessPoolExecutor() as workers:
        rows = list(workers.map(solve, suitable_seeds(wanted)))
    with TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        names = [f"{axis}_{t:g}" for t in TIMES for axis in "xy"]
        writer.writerows([["seed", "functions", "turn", "change", *names], *rows])


if __name__ == "__main__":
    main()
