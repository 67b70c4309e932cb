"""Forward dynamics of rigid arms against Pinocchio's articulated-body algorithm, without the cost of calls from Python.

Both run in the same process on the same arm and states, in turn. flexarm's machine code runs in its own loop over
states (NativeFunction.map). Of Pinocchio two times are taken, and the shorter one counts: its own loop over states in
C++ (abaInParallel, one thread), and calls from Python less the time of a call with an arm without joints.

Run: python benchmarks/rigid_dynamics.py [--quick]
"""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import casadi as ca
import numpy as np
from measuring.machine import heading, peer, version_of
from measuring.options import is_quick
from measuring.table import SpeedRow, print_speed_rows, print_table
from measuring.timing import Seconds, in_turn

import flexarm
from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction

JOINTS = (7, 30)
STATES = 1000
BUDGET, QUICK_BUDGET = 6.0, 0.0  # s, each arm
AGREEMENT = 1e-10
"""Of accelerations, relative to the largest of the state."""

PLAIN_LINK, PLAIN_JOINT = "{length: 1.0, mu: 5.0}", "{{twist: {right} deg}}"
FULL_LINK = "{length: 0.4, mu: 8.0, rotary_inertia: [0.02, 0.03, 0.04]}"
FULL_JOINT = "{{twist: {skew} deg, offset: 0.1, mass: 1.5, inertia: [0.01, 0.02, 0.03]}}"
ARMS = {
    "slender links, axes crosswise": (PLAIN_LINK, PLAIN_JOINT),
    "hubs, offsets, skew axes": (FULL_LINK, FULL_JOINT),
}
"""Links and joints of an arm whose structural zeros are many, and of one that has few."""
PANDA = "panda, from its URDF"
ROWS = {
    ("slender links, axes crosswise", 7): "forward dynamics, 7 rigid joints: slender links",
    ("hubs, offsets, skew axes", 7): "the same with hubs, offsets and skew axes",
    (PANDA, 7): "the arm panda, 7 joints, from its URDF file",
}
"""Arm and joints of the rows of docs/speed.md."""


class Measured(NamedTuple):
    """An arm in both programs.

    Attributes
    ----------
    kind : str
    joints, instructions : int
    flexarm : float [s]
        One evaluation, median.
    pinocchio : dict of str to float [s]
        Its two ways to evaluate, and what a call takes of the second; empty without it.
    of_the_fastest : float
        Ratio of the least times.
    difference : float
        Of the accelerations, relative.
    """

    kind: str
    joints: int
    instructions: int
    flexarm: float
    pinocchio: dict[str, float]
    of_the_fastest: float = np.nan
    difference: float = np.nan

    @property
    def quicker(self) -> float:
        """Median of the quicker one of Pinocchio's ways [s]."""
        return min(self.pinocchio["loop"], self.pinocchio["calls"])

    @property
    def cells(self) -> list[object]:
        """Row of the table."""
        own = [f"{1e6 * self.flexarm:.2f}"]
        if not self.pinocchio:
            return [self.kind, self.joints, self.instructions, *own]
        theirs = [f"{1e6 * seconds:.2f}" for seconds in self.pinocchio.values()]
        ratios = f"{self.quicker / self.flexarm:.1f}", f"{self.of_the_fastest:.1f}"
        return [self.kind, self.joints, *ratios, *own, *theirs, f"{self.difference:.0e}", self.instructions]


def describe(link: str, joint: str, n: int) -> Any:
    links = "".join(f"  - {link}\n" for _ in range(n))
    joints = "".join(f"  - {joint.format(right=90 if i else 0, skew=35 + 20 * (i % 4))}\n" for i in range(n))
    return flexarm.parse_arm(f"name: rigid\nlinks:\n{links}joints:\n{joints}")


def compiled(arm: Any) -> NativeFunction:
    """theta_dd of (t, [theta, theta_d], torques)."""
    equations = flexarm.motion_equations(arm)
    accelerations, n = equations.forward_function, equations.n_dof
    y, torques = ca.SX.sym("y", 2 * n), ca.SX.sym("torques", n)
    value = accelerations(y[:n], y[n:], torques)
    return compile_native(ca.Function("theta_dd", [ca.SX.sym("t"), y, torques], [ca.cse(value)]))


def pinocchio_model(pin: ModuleType, arm: Any) -> Any:
    """Build the same arm from its description."""
    model = pin.Model()
    model.gravity.linear = np.array(arm.gravity)
    parent, end = 0, np.zeros(3)
    for link, joint in zip(arm.links, arm.joints, strict=True):
        R = pin.utils.rotate("x", joint.twist)
        place = pin.SE3(R, end + R @ np.array([0, 0, joint.offset]))
        parent = model.addJoint(parent, pin.JointModelRZ(), place, f"joint {parent + 1}")
        length, mu = link.length, link.mu.values[0]
        slender = mu * length**3 / 12 * np.array([0, 1, 1])
        about_centre = np.diag(slender + length * np.array(link.rotary_inertia))
        body = pin.Inertia(mu * length, np.array([length / 2, 0, 0]), about_centre)
        body += pin.Inertia(joint.mass, np.zeros(3), np.diag(joint.inertia))
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
        end = np.array([length, 0, 0])
    return model


def loop_of_calls(
    pin: ModuleType, model: Any, q: np.ndarray, v: np.ndarray, tau: np.ndarray
) -> Callable[[], None]:
    """Call aba for every row of q, v (STATES, n), with the torques tau (n,)."""
    data = model.createData()
    states = [(np.array(a), np.array(b)) for a, b in zip(q, v, strict=True)]

    def run() -> None:
        for a, b in states:
            pin.aba(model, data, a, b, tau)

    return run


def panda(pin: ModuleType | None) -> tuple[Any, Any] | None:
    """The arm of example-robot-data from its URDF file, without friction, which Pinocchio leaves out, and its model."""
    if peer("yourdfpy", "yourdfpy") is None:
        return None
    try:
        files = importlib.metadata.files("example-robot-data") or []
        path = next(Path(str(file.locate())) for file in files if file.name == "panda.urdf")
    except (importlib.metadata.PackageNotFoundError, StopIteration):
        print("left out: the panda's URDF is not installed (pip install example-robot-data)")
        return None
    text = flexarm.import_urdf(path, tip="panda_hand_tcp").text
    arm = flexarm.parse_arm(re.sub(r"^    (friction|limits): .*\n", "", text, flags=re.MULTILINE))
    if pin is None:
        return arm, None
    whole = pin.buildModelFromUrdf(str(path))
    fingers = [k for k, name in enumerate(whole.names) if "finger" in name]
    return arm, pin.buildReducedModel(whole, fingers, pin.neutral(whole))


def measure(pin: ModuleType | None, kind: str, arm: Any, model: Any, budget: float) -> Measured:
    n = sum(joint.type != "fixed" for joint in arm.joints)
    native = compiled(arm)
    rng = np.random.default_rng(0)
    states, tau = rng.normal(size=(STATES, 2 * n)), rng.normal(size=n)
    q, v, times = states[:, :n], states[:, n:], np.zeros(STATES)
    actions: dict[str, Callable[[], Any]] = {"flexarm": lambda: native.map(times, states, tau)}
    difference = np.nan
    if pin is not None:
        pool = pin.ModelPool(model, 1)
        columns = [np.asfortranarray(block) for block in (q.T, v.T, np.tile(tau, (STATES, 1)).T)]
        found = np.zeros((n, STATES), order="F")
        actions["loop"] = lambda: pin.abaInParallel(1, pool, *columns, found)
        actions["calls"] = loop_of_calls(pin, model, q, v, tau)
        none = np.zeros((STATES, 0))
        actions["calls of nothing"] = loop_of_calls(pin, pin.Model(), none, none, np.zeros(0))
        actions["loop"]()
        expected, got = found.T, native.map(times, states, tau)
        difference = float(np.max(np.abs(got - expected) / np.abs(expected).max(axis=1, keepdims=True)))
        assert difference < AGREEMENT, f"{kind}, {n} joints: accelerations differ by {difference:.1e}"
    taken = {
        name: Seconds(*(seconds / STATES for seconds in each))
        for name, each in in_turn(actions, budget).items()
    }
    own = taken.pop("flexarm")
    if pin is None:
        return Measured(kind, n, native.instructions, own.median, {})
    calls, nothing = taken["calls"], taken["calls of nothing"]
    taken["calls"] = Seconds(*(whole - empty for whole, empty in zip(calls, nothing, strict=True)))
    fastest = min(taken["loop"].fastest, taken["calls"].fastest) / own.fastest
    medians = {name: each.median for name, each in taken.items()}
    return Measured(kind, n, native.instructions, own.median, medians, fastest, difference)


def main() -> None:
    quick = is_quick(__doc__)
    budget = QUICK_BUDGET if quick else BUDGET
    print(f"{heading('flexarm', 'llvmlite', 'pin', quick=quick)}; processor time")
    pin = peer("pinocchio", "pin")
    found = []
    for kind in ARMS:
        for n in JOINTS[:1] if quick else JOINTS:
            arm = describe(*ARMS[kind], n)
            found.append(measure(pin, kind, arm, None if pin is None else pinocchio_model(pin, arm), budget))
    if (robot := panda(pin)) is not None:
        found.append(measure(pin, PANDA, *robot, budget))
    header = ["us per evaluation, medians", "joints", "instructions", "flexarm"]
    if pin is not None:
        ratios = ("times flexarm's", "(of the least)")
        header = [
            *header[:2],
            *ratios,
            "flexarm",
            "Pinocchio's loop",
            "its calls",
            "(a call takes)",
            "difference",
            header[2],
        ]
    print_table(header, [one.cells for one in found])
    program = f"Pinocchio {version_of('pin')}"
    rows = [
        SpeedRow(ROWS[key], one.flexarm, program, one.quicker)
        for one in found
        if one.pinocchio and (key := (one.kind, one.joints)) in ROWS
    ]
    print_speed_rows(__file__, rows)


if __name__ == "__main__":
    main()
