"""Every fault of an arm description is told with its line, its key, what was found and what was expected."""

import re

import pytest
from spec_texts import TWO_LINK, changed

from flexarm.errors import SpecError
from flexarm.spec import parse_arm

LENGTH, MU, EI = "    length: 1.0".strip(), "mu: 5.0", "EI: 1000.0"
MODES = "{family: clamped-free, count: 2}"
SECOND, JOINT = "{length: 1.0, mu: 4.0}", "  - {}"
STEEL, ROD = "material: {E: 2e11, rho: 7800, nu: 0.3}", "section: {shape: circle, diameter: 0.02}"
START, DRIVE, LOADS, RUN = "[-90 deg]", "[null, null]", "loads: []", "{duration: 3.0, sample: 0.01}"


def tabled(rows):
    return f'mu: {{table: "{rows}"}}'


FAULTS = [
    # -- keys ------------------------------------------------------------------------------------------------
    ("name: two-link\n", "", None, "name", ["missing", "name of the arm"]),
    (MU, "mue: 5.0", 5, "links[0].mue", ["unknown key", "did you mean 'mu'?"]),
    (SECOND, "{length: 1.0, mu: 4.0, LENGTH: 2}", 8, "links[1].LENGTH", ["did you mean 'length'?"]),
    ("gravity", "geometric_stiffening: true\ngravity", 2, "geometric_stiffening", ["known keys: name, gr"]),
    ("gravity", "contact: {walls: []}\ngravity", 2, "contact", ["not available in this version"]),
    ("gravity", "base: planar\ngravity", 2, "base", ["'planar'", "floating bases", "not available"]),
    ("gravity", "base: free\ngravity", 2, "base", ["'free'", "floating bases", "not available"]),
    ("gravity", "base: floor\ngravity", 2, "base", ["got 'floor', expected fixed"]),
    (START, "[0], base: [0, 0]", 13, "initial.base", ["not available"]),
    (MU + "\n    ", "", 4, "links[0].mu", ["missing", "kg/m"]),
    # -- numbers ---------------------------------------------------------------------------------------------
    (LENGTH, "length: -1", 4, "links[0].length", ["got -1, expected a number > 0", "[m]"]),
    (LENGTH, "length: 0", 4, "links[0].length", ["got 0, expected a number > 0"]),
    (LENGTH, "length: true", 4, "links[0].length", ["got true, expected a number"]),
    (LENGTH, "length: one", 4, "links[0].length", ["got 'one', expected a number", "length of the link"]),
    (LENGTH, 'length: "1.0"', 4, "links[0].length", ["got '1.0'", "remove the quotes"]),
    (LENGTH, "length: 30 deg", 4, "links[0].length", ["got '30 deg', expected a number"]),
    (LENGTH, "length:", 4, "links[0].length", ["got nothing", "give a value or remove the key"]),
    (LENGTH, "length: .nan", 4, "links[0].length", ["got nan, expected a finite number"]),
    (LENGTH, "length: -.inf", 4, "links[0].length", ["got -inf, expected a finite number"]),
    (LENGTH, "length: 1e999", 4, "links[0].length", ["got inf, expected a finite number"]),
    (LENGTH, f"length: {10**400}", 4, "links[0].length", ["got inf, expected a finite number"]),
    (LENGTH, "length: [1, 2]", 4, "links[0].length", ["got a list of 2, expected a number"]),
    (LENGTH, "length: {m: 1}", 4, "links[0].length", ["got keys m, expected a number"]),
    ("[0, -9.81, 0]", "-9.81", 2, "gravity", ["got -9.81, expected a list of 3 numbers"]),
    ("[0, -9.81, 0]", "[0, -9.81]", 2, "gravity", ["got a list of 2, expected a list of 3", "m/s^2"]),
    ("[0, -9.81, 0]", "[0, g, 0]", 2, "gravity[1]", ["got 'g', expected a number"]),
    ("[0, -9.81, 0]", "[0, .nan, 0]", 2, "gravity[1]", ["got nan"]),
    ("name: two-link", "name: a/b", 1, "name", ["got 'a/b', expected letters, digits"]),
    ("name: two-link", "name: 5", 1, "name", ["got 5, expected text"]),
    ("name: two-link", "name: " + "a" * 101, 1, "name", ["at most 100 characters"]),
    ("gravity", "link_rotation: smal\ngravity", 2, "link_rotation", ["finite, small", "mean 'small'?"]),
    # -- links -----------------------------------------------------------------------------------------------
    (MU, "mu: -5.0", 5, "links[0].mu", ["got -5.0, expected a finite number > 0"]),
    (MU, "mu: .nan", 5, "links[0].mu", ["got nan, expected a finite number > 0"]),
    (MU, "mu: heavy", 5, "links[0].mu", ["got 'heavy', expected a number, {eta: [..]", "kg/m"]),
    (MU, "mu: {eta: [0, 1], value: [1, 2]}", 5, "links[0].mu.value", ["did you mean 'values'?"]),
    (MU, "mu: {eta: [0, 0.5], values: [1, 2]}", 5, "links[0].mu.eta", ["from 0.0 to 0.5 m", "0 to 1.0 m"]),
    (MU, "mu: {eta: [0, 0.6, 0.5, 1], values: [1, 2, 3, 4]}", 5, "links[0].mu.eta[2]", ["0.5 after 0.6"]),
    (MU, "mu: {eta: [0, 1], values: [1, 2, 3]}", 5, "links[0].mu.values", ["got 3 values, expected 2"]),
    (MU, "mu: {eta: [0, 1], values: [1, -2]}", 5, "links[0].mu.values[1]", ["got -2, expected a number > 0"]),
    (MU, "mu: {eta: [0], values: [1]}", 5, "links[0].mu.eta", ["got 1 entries, expected at least 2"]),
    (MU, "mu: {table: mu.csv}", 5, "links[0].mu.table", ["'mu.csv'", "no folder"]),
    (MU, "mu: {table: 3}", 5, "links[0].mu.table", ["got 3, expected the name of a table file"]),
    (MU, tabled("0, 1\\n1, x"), 5, "links[0].mu.table", ["row 2", "got 'x', expected a number"]),
    (MU, tabled("0, 1\\n1, -2"), 5, "links[0].mu", ["got -2.0, expected a number > 0"]),
    (MU, tabled("0, 1\\n0.9, 2"), 5, "links[0].mu", ["from 0.0 to 0.9 m"]),
    (MU, tabled("0 1 1\\n1 2 2"), 5, "links[0].mu.table", ["got 3 columns, expected 2"]),
    (MU, 'mu: {table: "0 1\\n1 2", eta: [0, 1]}', 5, "links[0].mu.eta", ["does not go with"]),
    (EI, "EI: 0", 6, "links[0].EI", ["got 0, expected a finite number > 0", "N m^2"]),
    (EI, "EI: [1, 2]", 6, "links[0].EI", ["got a list of 2, expected a number, {y: .., z: ..}"]),
    (EI, "EI: {y: 1, x: 3}", 6, "links[0].EI.x", ["unknown key", "y, z"]),
    (EI, "EI: {y: -3, z: 1}", 6, "links[0].EI.y", ["got -3, expected a finite number > 0"]),
    (EI, "EI: {y: {eta: [0, 2], values: [1, 2]}}", 6, "links[0].EI.y.eta", ["0 to 1.0 m"]),
    (f"    {EI}\n", "", 4, "links[0].EI", ["missing for the modes in direction y", "add EI, N m^2"]),
    (EI, "EI: {z: 3}", 6, "links[0].EI", ["missing for the modes in direction y", "add EI.y"]),
    (EI, EI + "\n    damping: -0.1", 7, "links[0].damping", ["got -0.1, expected a number >= 0"]),
    (EI, EI + "\n    damping: [0, 0, 0]", 7, "links[0].damping", ["got 3 values, expected 1 or 2"]),
    (EI, EI + "\n    damping: [0, .nan]", 7, "links[0].damping[1]", ["got nan"]),
    (EI, EI + "\n    rotary_inertia: [1, 2]", 7, "links[0].rotary_inertia", ["about z", "3 numbers"]),
    # -- modes -----------------------------------------------------------------------------------------------
    (MODES, "clamped-free", 7, "links[0].modes", ["got 'clamped-free', expected {family: .., count: ..}"]),
    (MODES, "{count: 2}", 7, "links[0].modes.family", ["missing"]),
    (MODES, "{family: clamped-free}", 7, "links[0].modes.count", ["missing", "1 to 20"]),
    (MODES, "{family: Clamped-Free, count: 2}", 7, "links[0].modes.family", ["did you mean 'clamped-free'?"]),
    (MODES, "{family: clamped-free, count: 0}", 7, "links[0].modes.count", ["got 0, expected a number >= 1"]),
    (MODES, "{family: clamped-free, count: 21}", 7, "links[0].modes.count", ["expected a number <= 20"]),
    (MODES, "{family: clamped-free, count: 2.5}", 7, "links[0].modes.count", ["expected a whole number"]),
    (MODES, "{family: clamped-free, count: 2, direction: x}", 7, "links[0].modes.direction", ["y, z, tor"]),
    (
        MODES,
        "{family: clamped-free, count: 1, direction: z}",
        6,
        "links[0].EI",
        ["direction z", "{y: .., z: .."],
    ),
    (MODES, "{family: fixed-free, count: 1, direction: torsion}", 4, "links[0].GJ", ["add GJ, N m^2"]),
    (MODES, "{family: fixed-free, count: 1, direction: axial}", 4, "links[0].EA", ["add EA, N"]),
    (
        MODES,
        "{family: fixed-free, count: 2}",
        7,
        "links[0].modes.family",
        ["in direction y", "bending family"],
    ),
    (
        MODES,
        "{family: hinged, count: 2, direction: torsion}",
        7,
        "links[0].modes.family",
        ["got 'hinged' in direction torsion, expected fixed-free, fixed-fixed or table"],
    ),
    (MODES, f"[{MODES}, {MODES}]", 7, "links[0].modes[1]", ["twice", "raise the count"]),
    (MODES, "{family: clamped-loaded, count: 2}", 7, "links[0].modes.tip", ["missing", "or auto"]),
    (MODES, "{family: clamped-loaded, count: 2, tip: 3}", 7, "links[0].modes.tip", ["got 3, expected auto"]),
    (
        MODES,
        "{family: clamped-loaded, count: 2, tip: {mass: -1, inertia: 1}}",
        7,
        "links[0].modes.tip.mass",
        ["got -1, expected a number >= 0", "[kg]"],
    ),
    (MODES, "{family: polynomial, count: 2, tip: auto}", 7, "links[0].modes.tip", ["only family clamped-l"]),
    (MODES, "{family: polynomial, count: 2, ends: free-free}", 7, "links[0].modes.ends", ["only family fin"]),
    (
        MODES,
        "{family: pinned-pinned, count: 2, normalisation: tip}",
        7,
        "links[0].modes.normalisation",
        ["zero at the tip", "use published"],
    ),
    (MODES, "{family: finite-element, count: 9, elements: 3}", 7, "links[0].modes.elements", ["too few"]),
    (MODES, "{family: table, count: 2}", 7, "links[0].modes.table", ["missing", "one column per mode"]),
    (
        MODES,
        "{family: table, count: 1, table: {eta: [0, 1], values: [[0], [1]]}}",
        7,
        "links[0].modes.table.eta",
        ["got 2 stations, expected at least 4"],
    ),
    (
        MODES,
        "{family: table, count: 1, table: {eta: [0, 0.3, 0.6, 1], values: [[0], [1], [1, 2], [1]]}}",
        7,
        "links[0].modes.table.values[2]",
        ["got 2 values, expected 1, one for each mode"],
    ),
    (
        MODES,
        '{family: table, count: 2, table: "0 0\\n0.2 1\\n0.5 2\\n1 3"}',
        7,
        "links[0].modes.count",
        ["got 2, but the table has 1"],
    ),
    (
        MODES,
        '{family: table, count: 1, table: "0 0\\n0.2 1\\n0.5 2\\n1.5 3"}',
        7,
        "links[0].modes.table",
        ["from 0.0 to 1.5 m, expected 0 to 1.0 m"],
    ),
    # -- material and section --------------------------------------------------------------------------------
    (SECOND, f"{{length: 1, {STEEL}}}", 8, "links[1].section", ["missing", "material needs section"]),
    (SECOND, f"{{length: 1, {ROD}}}", 8, "links[1].material", ["missing", "section needs material"]),
    (SECOND, f"{{length: 1, mu: 2, {STEEL}, {ROD}}}", 8, "links[1].mu", ["besides material and section"]),
    (SECOND, f"{{length: 1, GJ: 2, {STEEL}, {ROD}}}", 8, "links[1].GJ", ["besides material and section"]),
    (
        SECOND,
        f"{{length: 1, material: steel, {ROD}}}",
        8,
        "links[1].material",
        ["got 'steel', expected keys"],
    ),
    (
        SECOND,
        f"{{length: 1, material: {{E: 1, rho: 1, nu: 0.6}}, {ROD}}}",
        8,
        "links[1].material.nu",
        ["got 0.6, expected a number > -1 and <= 0.5"],
    ),
    (
        SECOND,
        f"{{length: 1, material: {{E: 1, rho: 1, nu: 0.3, G: 1}}, {ROD}}}",
        8,
        "links[1].material.G",
        ["both nu and G"],
    ),
    (
        SECOND,
        f"{{length: 1, material: {{E: 1, rho: 1}}, {ROD}, "
        "modes: {family: fixed-free, count: 1, direction: torsion}}",
        8,
        "links[1].GJ",
        ["missing", "give the material nu or G"],
    ),
    (SECOND, f"{{length: 1, {STEEL}, section: rod}}", 8, "links[1].section", ["got 'rod', expected keys"]),
    (
        SECOND,
        f"{{length: 1, {STEEL}, section: {{shape: tub, diameter: 1}}}}",
        8,
        "links[1].section.shape",
        ["got 'tub', expected one of circle, tube, rectangle, box", "did you mean 'tube'?"],
    ),
    (
        SECOND,
        f"{{length: 1, {STEEL}, section: {{diameter: 1}}}}",
        8,
        "links[1].section.shape",
        ["missing", "circle, tube, rectangle or box"],
    ),
    (
        SECOND,
        f"{{length: 1, {STEEL}, section: {{shape: tube, diameter: 0.1, thickness: 0.06}}}}",
        8,
        "links[1].section.thickness",
        ["got 0.06, expected at most half the diameter, 0.05 m"],
    ),
    (
        SECOND,
        f"{{length: 1, {STEEL}, section: {{shape: circle, diameter: 0.1, height: 1}}}}",
        8,
        "links[1].section.height",
        ["unknown key", "known keys: shape, diameter"],
    ),
    # -- joints and payload ----------------------------------------------------------------------------------
    (JOINT + "\n", "", 9, "joints", ["got a list of 1, expected 2, one for each link"]),
    (JOINT, JOINT + "\n" + JOINT, 9, "joints", ["got a list of 3, expected 2"]),
    (JOINT, "  - 5", 10, "joints[0]", ["got 5, expected keys and values"]),
    (JOINT, "  - {type: prismatic}", 10, "joints[0].type", ["one of revolute, fixed"]),
    (JOINT, "  - {angle: 3}", 10, "joints[0].angle", ["only a fixed joint", "initial.joints"]),
    (JOINT, "  - {twist: 90 degrees}", 10, "joints[0].twist", ["got '90 degrees'", '"30 deg"', "rad"]),
    (JOINT, "  - {twist: true}", 10, "joints[0].twist", ["got true"]),
    (JOINT, "  - {friction: {coulom: 2}}", 10, "joints[0].friction.coulom", ["did you mean 'coulomb'?"]),
    (
        JOINT,
        "  - {friction: {viscous: -2}}",
        10,
        "joints[0].friction.viscous",
        ["a number >= 0", "N m s/rad"],
    ),
    (JOINT, "  - {motor: {gear: 0}}", 10, "joints[0].motor.gear", ["got 0, expected a number > 0"]),
    (JOINT, "  - {inertia: [1, 2]}", 10, "joints[0].inertia", ["a number (about z) or 3 numbers"]),
    ("{mass: 1.0}", "{mass: -1}", 12, "payload.mass", ["got -1, expected a number >= 0", "[kg]"]),
    ("{mass: 1.0}", "{inertia: [1, 2]}", 12, "payload.inertia", ["got a list of 2", "6 numbers"]),
    ("{mass: 1.0}", "{inertia: [1, 1, 1, 5, 0, 0]}", 12, "payload.inertia", ["-4, 1, 6 kg m^2"]),
    ("{mass: 1.0}", "{inertia: -1}", 12, "payload.inertia", ["principal moments are not negative"]),
    # -- initial state ---------------------------------------------------------------------------------------
    (START, "3", 13, "initial.joints", ["got 3, expected a list"]),
    (
        START,
        "[1, 2, 3]",
        13,
        "initial.joints",
        ["a list of 3, expected 2, one for each joint, or 1, one for"],
    ),
    (START, "[1, 2]", 13, "initial.joints[1]", ["got 2, but joint 2 is fixed at 0.523599 rad"]),
    (START, "[x]", 13, "initial.joints[0]", ["got 'x', expected a number in rad"]),
    (START, "[0], joint_rates: [1, 2]", 13, "initial.joint_rates[1]", ["joint 2 is fixed"]),
    (START, "[0], joint_rates: [3 deg]", 13, "initial.joint_rates[0]", ['"30 deg/s"']),
    (START, "[0], modes: [1]", 13, "initial.modes", ["a list of 1, expected 2, one for each mode (2 + 0)"]),
    (START, "[0], mode_rates: [1, 2, 3]", 13, "initial.mode_rates", ["a list of 3, expected 2"]),
    (START, "[0], equilibrium: yes", 13, "initial.equilibrium", ["got 'yes', expected true or false"]),
    (START, "[0], equilibrium: true, modes: [0, 0]", 13, "initial.modes", ["besides equilibrium: true"]),
    (START, "[0], equilibrium: true, joint_rates: [0]", 13, "initial.joint_rates", ["besides equilibrium"]),
    # -- drive and loads -------------------------------------------------------------------------------------
    (DRIVE, "[{torque: 1}]", 14, "drive", ["got a list of 1, expected 2, one for each link"]),
    (DRIVE, "[null, {torque: 3}]", 14, "drive[1]", ["joint 2 is fixed", "write null"]),
    (DRIVE, "[1, null]", 14, "drive[0]", ["got 1, expected keys and values"]),
    (DRIVE, "", 14, "drive", ["got nothing, expected a list"]),
    (DRIVE, "{torque: 1}", 14, "drive", ["got keys torque, expected a list"]),
    (DRIVE, "[{motion: t}, null]", 14, "drive[0].motion", ["unknown key", "known keys: torque, pd"]),
    (
        DRIVE,
        "[{torque: 1, pd: {kp: 1, kd: 1, reference: t}}, null]",
        14,
        "drive[0]",
        ["both of torque and pd"],
    ),
    (DRIVE, "[{torque: null}, null]", 14, "drive[0]", ["neither of torque and pd"]),
    (DRIVE, "[{torque: true}, null]", 14, "drive[0].torque", ["got true", "an expression of t"]),
    (DRIVE, "[{torque: .nan}, null]", 14, "drive[0].torque", ["got nan"]),
    (DRIVE, "[{torque: [1, 2]}, null]", 14, "drive[0].torque", ["got a list of 2"]),
    (DRIVE, "[{torque: 'sin(2*t'}, null]", 14, "drive[0].torque", ["got 'sin(2*t'", "5*sin(2*pi*t)"]),
    (DRIVE, "[{torque: 1/(t - 1.5)}, null]", 14, "drive[0].torque", ["no finite value at t = 1.5 s"]),
    (DRIVE, "[{torque: 0*t + 1/0}, null]", 14, "drive[0].torque", ["no finite value at t = 0 s"]),
    (DRIVE, "[{torque: {times: [0, 1], values: [1, 2]}}, null]", 14, "drive[0].torque", ["0 to 3.0 s"]),
    (DRIVE, "[{torque: {times: [0, 3], values: [1, x]}}, null]", 14, "drive[0].torque.values[1]", ["'x'"]),
    (DRIVE, "[{torque: {times: [0, 3], values: [1]}}, null]", 14, "drive[0].torque.values", ["expected 2"]),
    (DRIVE, "[{torque: {times: [0, 0], values: [1, 2]}}, null]", 14, "drive[0].torque.times[1]", ["increas"]),
    (
        DRIVE,
        "[{torque: {times: [0, 3], values: [1, 2], interpolation: cubi}}, null]",
        14,
        "drive[0].torque.interpolation",
        ["one of linear, cubic", "did you mean 'cubic'?"],
    ),
    (DRIVE, "[{torque: {table: t.csv}}, null]", 14, "drive[0].torque.table", ["'t.csv'", "no folder"]),
    (DRIVE, "[{pd: {kp: -1, kd: 0, reference: 0}}, null]", 14, "drive[0].pd.kp", ["a number >= 0"]),
    (DRIVE, "[{pd: {kp: 1, reference: 0}}, null]", 14, "drive[0].pd.kd", ["missing", "N m s/rad"]),
    (DRIVE, "[{pd: {kp: 1, kd: 0, reference: sn(t)}}, null]", 14, "drive[0].pd.reference", ["mean 'sin'?"]),
    (DRIVE, "[{pd: {kp: 1, kd: 0, reference: 3 degs}}, null]", 14, "drive[0].pd.reference", ["'3 degs'"]),
    (LOADS, "loads: {at: tip}", 15, "loads", ["got keys at, expected a list"]),
    (LOADS, "loads: [{force: [1, 2, 3]}]", 15, "loads[0].at", ["missing", "tip, or {link: 1, at: 0.5}"]),
    (LOADS, "loads: [{at: top}]", 15, "loads[0].at", ["got 'top', expected tip or {link: 1"]),
    (LOADS, "loads: [{at: {link: 3, at: 0.5}}]", 15, "loads[0].at.link", ["got link 3", "2 links"]),
    (LOADS, "loads: [{at: {link: 0, at: 0.5}}]", 15, "loads[0].at.link", ["got 0, expected a number >= 1"]),
    (LOADS, "loads: [{at: {link: 1, at: 1.5}}]", 15, "loads[0].at.at", ["got 1.5, expected a number <= 1"]),
    (LOADS, "loads: [{at: {link: 1, at: .nan}}]", 15, "loads[0].at.at", ["got nan"]),
    (LOADS, "loads: [{at: tip, force: [1, 2]}]", 15, "loads[0].force", ["a list of 2, expected a list of 3"]),
    (LOADS, "loads: [{at: tip, moment: [1, t2, 0]}]", 15, "loads[0].moment[1]", ["unknown name 't2'"]),
    (LOADS, "loads: [{at: tip, force: [log(t), 0, 0]}]", 15, "loads[0].force[0]", ["value at t = 0 s"]),
    (LOADS, "loads: [{at: tip, frame: tip}]", 15, "loads[0].frame", ["expected one of base, link"]),
    # -- run -------------------------------------------------------------------------------------------------
    (RUN, "3", 16, "run", ["got 3, expected keys and values"]),
    (RUN, "{duration: 0, sample: 0.1}", 16, "run.duration", ["got 0, expected a number > 0", "[s]"]),
    (RUN, "{duration: 1}", 16, "run.sample", ["missing", "[s]"]),
    (RUN, "{duration: 1, sample: 2}", 16, "run.sample", ["got 2.0, expected at most the duration, 1.0 s"]),
    (RUN, "{duration: 1, sample: 1, method: rk45}", 16, "run.method", ["dop853, rk4", "did you mean 'rk4'?"]),
    (RUN, "{duration: 1, sample: 1, method: rk4}", 16, "run.step", ["missing", "rk4 has a fixed step"]),
    (RUN, "{duration: 1, sample: 1, method: rk4, step: 2}", 16, "run.step", ["at most the duration"]),
    (RUN, "{duration: 1, sample: 1, step: 0.1}", 16, "run.step", ["only rk4 has a step", "dop853"]),
    (RUN, "{duration: 1, sample: 1, rtol: 1}", 16, "run.rtol", ["got 1, expected a number < 1"]),
    (RUN, "{duration: 1, sample: 1, rtol: .nan}", 16, "run.rtol", ["got nan"]),
    (RUN, "{duration: 1, sample: 1, atol: 0}", 16, "run.atol", ["got 0, expected a number > 0"]),
    (RUN, "{duration: 1, sample: 1, max_steps: 0.5}", 16, "run.max_steps", ["expected a whole number"]),
    (RUN, "{duration: 1, sample: 1, formulation: newton}", 16, "run.formulation", ["articulated, gibbs-app"]),
]


def problems(text):
    with pytest.raises(SpecError) as caught:
        parse_arm(text, source="arm.yaml")
    return caught.value.problems


def test_the_text_without_faults_is_valid():
    assert parse_arm(TWO_LINK).name == "two-link"


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), FAULTS, ids=lambda value: str(value)[:60])
def test_a_fault_is_told_with_line_key_and_words(old, new, line, key, words):
    found = [problem for problem in problems(changed((old, new))) if problem.key == key]
    assert len(found) == 1, "one line per key"
    assert found[0].source == "arm.yaml"
    assert found[0].line == line
    assert all(word in str(found[0]) for word in words), str(found[0])


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), FAULTS, ids=lambda value: str(value)[:60])
def test_no_message_speaks_in_the_words_of_the_validation_library(old, new, line, key, words):
    for problem in problems(changed((old, new))):
        assert not re.search(r"[Ii]nput|tuple|dict|str\b|instance|valid |union|None|True|False", str(problem))


def test_all_faults_of_a_file_are_told_at_once_in_the_order_of_their_lines():
    text = changed((LENGTH, "length: -1"), (MU, "mue: 5"), (JOINT, "  - {twist: x}"), (RUN, "{duration: 1}"))
    found = problems(text)
    assert [problem.key for problem in found] == [
        "links[0].length",
        "links[0].mue",
        "joints[0].twist",
        "run.sample",
    ]
    assert str(SpecError(found)).count("\n") == 3


def test_faults_of_agreement_between_parts_are_told_at_once():
    text = changed((START, "[1, 2, 3], modes: [1]"), (DRIVE, "[null, {torque: 1}]"))
    assert {problem.key for problem in problems(text)} == {"initial.joints", "initial.modes", "drive[1]"}


def test_modes_in_a_list_are_named_by_their_index():
    text = changed((MODES, f"\n      - {MODES}\n      - {{family: hingd, count: 1}}"))
    (problem,) = problems(text)
    assert (problem.line, problem.key) == (9, "links[0].modes[1].family")
