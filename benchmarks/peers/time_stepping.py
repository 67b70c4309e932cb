"""Rods and a mass with dry friction by Siconos, whose numbers the tests of friction compare with.

    python3 benchmarks/peers/time_stepping.py [STEP ..]

Needs python3-siconos of Debian (4.4.0 gave the numbers in the tests) in the Python that runs it, and gcc; nothing of
flexarm. Moreau and Jean's time stepping [Moreau1988] with theta = 1/2 and Newton's law of impacts with friction is of
the first order. The gaps of a turning rod are functions of its coordinates that Siconos calls from a compiled library:
relations written in Python crash its time stepping.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import siconos.kernel as sk  # pyright: ignore[reportMissingImports]

STEPS = (1e-3, 1e-4, 1e-5)
LENGTH, MASS, GRAVITY = 1.0, 1.0, 9.81
RESIDUAL = 1e-14
"""Of the complementarity problem of a step."""

LIBRARY = "rod_ends.so"
SOURCE = """
#include <math.h>
#define END(name, offset)                                                                             \\
  void name##_gap(unsigned n, double *q, unsigned m, double *y, unsigned k, double *z)                \\
  {                                                                                                   \\
    y[0] = q[1] + offset * sin(q[2]);                                                                 \\
    y[1] = q[0] + offset * cos(q[2]);                                                                 \\
  }                                                                                                   \\
  void name##_jacobian(unsigned n, double *q, unsigned m, double *J, unsigned k, double *z)           \\
  {                                                                                                   \\
    J[0] = 0; J[1] = 1; J[2] = 1; J[3] = 0;                                                           \\
    J[4] = offset * cos(q[2]);                                                                        \\
    J[5] = -offset * sin(q[2]);                                                                       \\
  }
END(lower, -0.5)
END(upper, 0.5)
"""

RODS = {
    # angle [deg], friction, restitution, height of the lower end [m], duration [s]
    "rod from 40 degrees": (40, 0.3, 0.5, 0.2, 0.5),
    "rod from 70 degrees": (70, 0.3, 0.5, 0.2, 0.5),
    "rod that comes to rest": (20, 0.5, 0.0, 0.1, 0.8),
    "rod that falls over, sticking": (60, 0.8, 0.0, 0.0, 0.3),
}


def load_library() -> None:
    """Compile the gaps; the library stays loaded under the name by which Siconos asks for it."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "rod_ends.c"), Path(folder, LIBRARY)
        source.write_text(SOURCE)
        flags = ["-O2", "-shared", "-fPIC", f"-Wl,-soname,{LIBRARY}"]
        subprocess.run(["gcc", *flags, "-o", library, source], check=True)
        ctypes.CDLL(str(library))


def moved(body, relations, restitution, friction, duration, step):
    """Coordinates (k,) of a body at the end, which starts with the first step [s]."""
    model = sk.NonSmoothDynamicalSystem(0.0, duration)
    model.insertDynamicalSystem(body)
    kept = []  # Siconos does not own what Python made
    for relation in relations:
        law = sk.NewtonImpactFrictionNSL(restitution, 0.0, friction, 2)
        interaction = sk.Interaction(law, relation)
        model.link(interaction, body)
        kept += [law, interaction]
    problem = sk.FrictionContact(2)
    problem.numericsSolverOptions().dparam[0] = RESIDUAL
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, step), sk.MoreauJeanOSI(0.5), problem)
    for _ in range(round(duration / step)):
        simulation.computeOneStep()
        simulation.nextStep()
    return np.array(body.q())


def rod(case, step):
    """Centre [m] and angle [rad] of a rod that is let go with its lower end at a height."""
    degrees, friction, restitution, height, duration = case
    angle = np.deg2rad(degrees)
    q = [LENGTH / 2 * np.cos(angle), height + LENGTH / 2 * np.sin(angle), angle]
    body = sk.LagrangianLinearTIDS(q, [0.0, 0.0, 0.0], np.diag([MASS, MASS, MASS * LENGTH**2 / 12]))
    body.setFExtPtr(np.array([0.0, -GRAVITY * MASS, 0.0]))
    ends = [
        sk.LagrangianScleronomousR(f"rod_ends:{end}_gap", f"rod_ends:{end}_jacobian")
        for end in ("lower", "upper")
    ]
    return moved(body, ends, restitution, friction, duration, step)


def incline(step):
    """Places [m] along and above an incline of 0.5 rad, after 1 s, of a mass that slides up at 2 m/s; friction 0.3."""
    body = sk.LagrangianLinearTIDS([0.0, 0.0], [2.0, 0.0], np.eye(2))
    body.setFExtPtr(-GRAVITY * np.array([np.sin(0.5), np.cos(0.5)]))
    return moved(body, [sk.LagrangianLinearTIR(np.array([[0.0, 1.0], [1.0, 0.0]]))], 0.0, 0.3, 1.0, step)


def main(steps):
    """Print where everything is at the end."""
    load_library()
    for step in steps:
        print(f"step {step:g} s")
        cases = {"incline": incline} | {
            name: lambda step, case=case: rod(case, step) for name, case in RODS.items()
        }
        for name, case in cases.items():
            start = time.perf_counter()
            q = case(step)
            numbers = ", ".join(f"{value:.8f}" for value in q)
            print(f"  {name:30} {numbers}   {time.perf_counter() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main([float(step) for step in sys.argv[1:]] or STEPS)
