"""Fixed steps beyond the stability limit: said before the run, and as the reason why it stops."""

from __future__ import annotations

import re

import pytest
from breadth import thinned

import flexarm

SINGULAR = """
name: rk4-unstable
links:
- length: 0.547
  mu: 1.965
- length: 0.166
  mu: 1.206
  EI: 149.997
  modes:
    family: craig-bampton
    count: 3
  damping:
    retardation: 0.0001
joints:
- {}
- stiffness: 11.52
  limits:
    range:
    - -0.2769
    - -0.0011
    restitution: 1
  friction:
    viscous: 0.1
gravity:
- 0
- -9.81
- 0
initial:
  joints:
  - -0.376
  - -0.25
  joint_rates:
  - -1.422
  - -0.703
  base:
  - -0.06
  - 0.018
  - 0.084
  base_rates:
  - 0.523
  - 0.636
  - -0.181
base:
  type: planar
  mass: 5
  inertia: 1
  attachment:
  - 0.2
  - 0
  - 0
payload:
  mass: 0.6
run:
  duration: 0.3
  sample: 0.005
  method: rk4
  step: 0.00025
"""
AT_STOP = """
name: rk4-unstable-at-stop
links:
- length: 0.283
  mu: 0.471
  EI: 324.309
  modes:
    family: clamped-free
    count: 3
- length: 0.555
  mu: 2.192
  EI: 70.299
  modes:
    family: craig-bampton
    count: 1
  damping: 0.05
joints:
- stiffness: 67.6
  damping: 0.05
  motor:
    inertia: 0.0001
    gear: 100
  limits:
    range:
    - -0.8167
    - -0.23
    restitution: 0
- type: prismatic
  axis:
  - 0.6
  - 0.8
  - 0
  stiffness: 245.74
  damping: 0.05
  motor:
    inertia: 0.0001
    gear: 100
gravity:
- 0
- -9.81
- 0
initial:
  joints:
  - -0.23
  - 0.159
  joint_rates:
  - 1.597
  - -0.906
payload:
  mass: 0.69
run:
  duration: 0.4
  sample: 0.005
  method: rk4
  step: 0.00025
"""


@pytest.mark.parametrize(("text", "limit"), thinned([(SINGULAR, "1.1e-05"), (AT_STOP, "6.7e-05")], every=2))
def test_an_unstable_step_is_told_before_the_run_and_as_the_reason_of_the_stop(text, limit, caplog):
    """Behind stops the state grows until no impulses, or no numbers, are found: when, if at all, is up to chance.

    So the run ends at a limit of its steps, at the latest.
    """
    result = flexarm.simulate(flexarm.parse_arm(text).replace("run.max_steps", 300))
    said = f"run.step = 0.00025 s is beyond the stability limit of rk4, {limit} s at t = 0 s"
    assert caplog.messages[0].startswith(said)
    assert result.status == "incomplete"
    assert re.fullmatch(rf"stopped at t = [0-9.e-]+ s: {re.escape(said)}: .*method: dop853.*", result.message)


@pytest.mark.parametrize(("step", "stable"), [(1.0e-5, True), (1.2e-5, False)])
def test_the_limit_knows_damping(step, stable, caplog):
    """Kelvin-Voigt damping of the fastest mode is five times as strict here as its frequency."""
    text = SINGULAR.replace("step: 0.00025", f"step: {step}").replace("duration: 0.3", "duration: 0.02")
    arm = flexarm.parse_arm(text)
    (limit,) = flexarm.check_arm(arm).stable_steps.values()
    result = flexarm.simulate(arm)
    assert limit == pytest.approx(1.15e-5, rel=0.01)
    assert bool(caplog.messages) is not stable
    assert bool(result["energy_kinetic"].max() < 10) is stable
