"""Every command on arms with prismatic joints: metres, newtons and kilograms where a joint slides."""

import json
import math
import re
import shutil
import subprocess

import numpy as np
import pytest
from paths import ROBOTS

from flexarm import open_result, open_sweep

SLIDER = """\
name: slider
gravity: [0, -9.81, 0]
links: [{length: 0, body: {mass: 2}}]
joints:
  - type: prismatic
    axis: [0, 1, 0]
    friction: {viscous: 3, coulomb: 0.5}
    motor: {inertia: 1e-4, gear: 100, stall_torque: 0.6}
payload: {mass: 1}
initial: {joints: [0.1]}
drive: [{torque: 29.43}]
run: {duration: 0.1, sample: 0.01}
"""
RISE = """\
space: joint
duration: 0.5
line: {from: [0.1], to: [0.4], law: quintic}
"""


@pytest.fixture
def slider(folder):
    """A block of 2 kg on an upright guide, and its way up by 0.3 m in 0.5 s."""
    (folder / "slider.yaml").write_text(SLIDER)
    (folder / "rise.yaml").write_text(RISE)
    return folder


def done(result):
    assert (result.exit_code, result.exception) == (0, None), result.output
    return result.stdout


def test_check(flexarm, slider, robots_beside):
    """Along its guide the joint accelerates block, payload and rotor: 2 + 1 + 100^2 1e-4 kg."""
    assert re.search(
        r"inertia along it .*\n +1 +0 kg +4 kg +1 kg$", done(flexarm("check", "slider.yaml")), re.MULTILINE
    )
    mixed = done(flexarm("check", robots_beside / "gantry_boom.yaml"))
    assert "inertia about or along it" in mixed
    assert re.search(r"^ +1 +0 kg +15\.52 kg +0\.72 kg$", mixed, re.MULTILINE)
    assert re.search(r"^ +2 +0 kg +3\.664 kg m\^2 +0\.064 kg m\^2$", mixed, re.MULTILINE)


def test_metres_are_not_taken_for_angles(flexarm, slider):
    (slider / "slider.yaml").write_text(SLIDER.replace("joints: [0.1]", "joints: [8]"))
    assert "radians" not in flexarm("check", "slider.yaml").stderr
    turning = SLIDER.replace("joints: [0.1]", "joints: [8]").replace("prismatic", "revolute")
    (slider / "slider.yaml").write_text(turning.replace("{mass: 2}", "{mass: 2, inertia: 1}"))
    assert "initial.joints[0]: 8 is an angle in radians" in flexarm("check", "slider.yaml").stderr


@pytest.mark.slow
def test_simulate_and_what_it_wrote(flexarm, robots_beside):
    done(flexarm("simulate", robots_beside / "gantry_boom.yaml", "--plots"))
    result = open_result("outputs/gantry-boom.h5")
    assert result.joint_angle[0, 0] == pytest.approx(0.1, abs=1e-12)
    assert result.joint_angle[-1] == pytest.approx([0.9, math.radians(60)], abs=0.02)


def test_equilibrium(flexarm, slider):
    """The weight of 3 kg, along the guide."""
    told = done(flexarm("equilibrium", "slider.yaml", "--hold", "0.25", "--plots"))
    assert "joints held by constant forces" in told
    assert re.search(r"link +joint position +force +deflection", told)
    assert re.search(r"^ +1 +0\.25 m +29\.43 N ", told, re.MULTILINE)
    assert "deg" not in told
    result = open_result("outputs/slider-equilibrium.h5")
    np.testing.assert_allclose(result.torque, [[3 * 9.81]], rtol=1e-12)


@pytest.mark.parametrize("command", [["modes", "--at"], ["linearize", "--at"], ["equilibrium", "--hold"]])
def test_postures_are_in_metres(flexarm, slider, command):
    failed = flexarm(command[0], "slider.yaml", command[1], "10 deg")
    assert failed.exit_code == 2
    assert "got '10 deg' as the position of joint 1, expected a number of metres" in failed.stderr


def test_linearize(flexarm, slider):
    """(m + I_r) q_dd + (b + c / v) q_d = u, v the rate over which dry friction changes sign."""
    done(flexarm("linearize", "slider.yaml", "-o", "slider.npz"))
    with np.load("slider.npz") as model:
        data = {name: model[name] for name in model.files}
    damping = 3 + 0.5 / 0.01
    np.testing.assert_allclose(data["A"], [[0, 1], [0, -damping / 4]], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(data["B"], [[0], [1 / 4]], rtol=1e-12)
    assert data["state_units"].tolist() == ["m", "m/s"]
    assert data["input_units"].tolist() == ["N"]
    assert data["output_units"][0] == "m"


def test_only_what_turns_turns_steadily(flexarm, slider, robots_beside):
    assert "so that none can turn steadily" in flexarm("modes", "slider.yaml", "--spin", "3 rad/s").stderr
    failed = flexarm("modes", robots_beside / "gantry_boom.yaml", "--spin", "3 rad/s", "--joint", "1")
    assert failed.exit_code == 2
    assert "joint 1 is prismatic, expected 2" in failed.stderr
    told = done(flexarm("modes", robots_beside / "gantry_boom.yaml", "--spin", "3 rad/s", "--hold", "1"))
    assert "joint 2 turning steadily at 3 rad/s" in told


def test_modes_of_a_carriage_and_a_boom(flexarm, robots_beside):
    done(flexarm("modes", robots_beside / "gantry_boom.yaml", "--joints", "pd", "--plots"))
    result = open_result("outputs/gantry-boom-modes.h5")
    assert result.shape_joint_angle.shape[-1] == 2


def test_compare_leaves_out_formulas_for_revolute_joints(flexarm, robots_beside):
    told = done(flexarm("compare", robots_beside / "gantry_boom.yaml"))
    assert "published formulas do not apply: they are for revolute joints" in told


def test_equations_have_the_units_of_each_joint(flexarm, slider):
    told = done(flexarm("equations", "slider.yaml"))
    for line in (
        "b_1 = 3 N s/m: viscous friction of joint 1",
        "c_1 = 0.5 N: Coulomb friction of joint 1",
        "v_1 = 0.01 m/s: rate over which the friction of joint 1 changes sign",
        "I_m1 = 1 kg: inertia of motor 1 at the joint",
        "joint forces, and what loads do on",
        "Prismatic joints: q_1, positions [m] under forces [N].",
    ):
        assert line in told
    latex = done(flexarm("equations", "slider.yaml", "--format", "latex"))
    assert r"\(\mathrm{N\,s/m}\)" in latex
    assert "Joint positions and modal amplitudes" in latex
    parameters = json.loads(done(flexarm("equations", "slider.yaml", "--format", "json")))["parameters"]
    assert parameters["c_1"]["unit"] == "N"


def test_equations_as_a_program(flexarm, slider):
    """(m + I_r) q_dd + b q_d + c tanh(q_d / v) + m g."""
    done(flexarm("equations", "slider.yaml", "--format", "python", "-o", "slider.py"))
    code, names = (slider / "slider.py").read_text(), {}
    exec(compile(code, "slider.py", "exec"), names)
    (force,) = names["inverse_dynamics"]([0.1], [2.0], [0.5])
    assert force == pytest.approx(4 * 0.5 + 3 * 2 + 0.5 * math.tanh(200) + 3 * 9.81, rel=1e-14)
    assert "# N s/m: viscous friction" in code


def test_exported_code_names_the_unit_of_each_coordinate(flexarm, slider, robots_beside):
    done(flexarm("export", robots_beside / "gantry_boom.yaml", "--to", "c", "-o", "c"))
    header = (slider / "c" / "gantry_boom.h").read_text()
    assert "theta[0] = q_1 [m]" in header
    assert "theta[1] = q_2 [rad]" in header
    assert "theta[2] = delta_2_1 [m]" in header
    assert "q_i: position or angle of joint i" in header
    if (compiler := shutil.which("cc")) is not None:
        subprocess.run([compiler, "-std=c99", "-c", "gantry_boom.c"], cwd=slider / "c", check=True)


def test_inverse(flexarm, slider):
    """Quintic rise by d in T: the force is (m + I_r) q_dd + b q_d + m g, and dry friction."""
    told = done(flexarm("inverse", "slider.yaml", "--trajectory", "rise.yaml", "--method", "rigid"))
    result = open_result("outputs/slider-inverse.h5")
    s = result.time / 0.5
    rate = 0.3 / 0.5 * 30 * s**2 * (1 - s) ** 2
    acceleration = 0.3 / 0.25 * 60 * s * (1 - s) * (1 - 2 * s)
    force = 4 * acceleration + 3 * rate + 0.5 * np.tanh(rate / 0.01) + 3 * 9.81
    np.testing.assert_allclose(result.torque[:, 0], force, rtol=1e-9)
    assert f"joint 1: force up to {np.abs(force).max():.4g} N" in told
    assert "simulated under these forces" in told


def test_trajectories_of_what_slides_are_in_metres(flexarm, slider):
    (slider / "rise.yaml").write_text(RISE.replace("from: [0.1]", "from: [10 deg]"))
    failed = flexarm("inverse", "slider.yaml", "--trajectory", "rise.yaml")
    assert failed.exit_code == 2
    assert "rise.yaml: q1: got an angle, expected a number in m: joint 1 slides" in failed.stderr
    (slider / "rise.yaml").write_text(RISE + "near: [10 deg]\n")
    failed = flexarm("inverse", "slider.yaml", "--trajectory", "rise.yaml")
    assert "near: got an angle" in failed.stderr


@pytest.mark.slow
def test_payload(flexarm, slider):
    """The motor's force is gear stall_torque = 60 N; the rise takes (2 + m) (g + a) + I_r a."""
    (slider / "slider.yaml").write_text(SLIDER.replace("{viscous: 3, coulomb: 0.5}", "{viscous: 0}"))
    told = done(flexarm("payload", "slider.yaml", "--trajectory", "rise.yaml", "--plots"))
    a = 0.3 / 0.25 * 10 / math.sqrt(3)  # largest acceleration of a quintic
    most = (60 - 1 * a) / (9.81 + a) - 2
    found = float(re.search(r"largest load (\S+) kg", told)[1])
    assert found == pytest.approx(most, rel=1e-3)
    assert "tightest bound: force of joint 1" in told


@pytest.mark.slow
def test_bound_in_the_report_is_a_force(flexarm, slider):
    done(flexarm("payload", "slider.yaml", "--trajectory", "rise.yaml"))
    done(flexarm("report", "outputs/slider-payload.h5", "-o", "report.html"))
    page = (slider / "report.html").read_text()
    assert "force of joint 1" in page
    assert "joint 1, largest force" in page
    assert "Joint positions and their rates" in page
    assert "viscous 3 N s/m, dry 0.5 N" in page
    assert "gear 100 rad/m" in page
    assert "axis (0, 1, 0)" in page


@pytest.mark.slow
def test_sweep_records_forces(flexarm, slider, robots_beside):
    done(flexarm("sweep", "slider.yaml", "--vary", "links[0].body.mass=1:3:3", "-o", "masses.h5"))
    found = open_sweep("masses.h5")
    assert found.variables["max_force"].units == "N"
    assert "max_torque" not in found.variables
    np.testing.assert_allclose(found["max_force"], 29.43, rtol=1e-12)
    failed = flexarm("sweep", "slider.yaml", "--vary", "payload.mass=1,2", "--record", "max_torque")
    assert failed.exit_code == 2
    assert "no joint of this arm has a 'max_torque' [N m] (record max_force)" in failed.stderr


@pytest.mark.parametrize(
    "key", ["initial.joints[0]=1 deg:5 deg:3", "initial.joint_rates[0]=1 deg/s:5 deg/s:3"]
)
def test_degrees_of_what_slides_are_refused_in_sweeps(flexarm, slider, key):
    (slider / "slider.yaml").write_text(SLIDER.replace("[0.1]}", "[0.1], joint_rates: [0]}"))
    failed = flexarm("sweep", "slider.yaml", "--vary", key)
    assert failed.exit_code == 2
    assert "got an angle, expected a number in m" in failed.stderr


@pytest.mark.slow
def test_converge_animate_and_plot(flexarm, slider, robots_beside):
    assert "of the longest link" in done(flexarm("converge", robots_beside / "gantry_boom.yaml"))
    done(flexarm("simulate", "slider.yaml"))
    done(flexarm("animate", "outputs/slider.h5", "-o", "slider.gif"))
    done(flexarm("plot", "outputs/slider.h5", "outputs/slider.h5"))


@pytest.mark.slow
def test_shipped_commands(flexarm, robots_beside):
    """Those at the heads of the shipped arms."""
    for name in ("gantry_boom", "scara"):
        text = (ROBOTS / f"{name}.yaml").read_text()
        commands = re.findall(r"^#   flexarm (.*)$", text, re.MULTILINE)
        assert commands
        for command in commands:
            if not command.startswith("inverse"):
                done(flexarm(*_split(command)))


def _split(command):
    return [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', command)]
