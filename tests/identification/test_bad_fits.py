"""What cannot be fitted is said in one line."""

import re

import numpy as np
import pytest

import flexarm
from flexarm.errors import FlexarmError, ModelError, SpecError

ARM = """\
name: arm
links: [{length: 0.6, mu: 1.2, EI: 8, modes: 1}]
payload: {mass: 0.2}
drive: [{torque: 0}]
initial: {joints: [-1]}
run: {duration: 1.0, sample: 0.01}
sensors: {hub: {joint: 1}}
"""
TIME = np.arange(50) * 0.01
DATA = {"time": TIME, "hub": np.sin(TIME)}
FIT = ["links[0].EI"]
CASES = {
    "missing column": (DATA, FIT, {"columns": "time, hub, gauge=tip_y"}, "column gauge is missing, it has time, hub"),
    "unknown meaning": (DATA, FIT, {"columns": "time, hub=joint_angel[0]"}, "did you mean 'joint_angle'"),
    "several numbers": (DATA, FIT, {"columns": "time, hub=tip"}, "not one number, expected tip_x or tip_y"),
    "no index": (DATA, FIT, {"columns": "time, hub=joint_angle"}, r"e.g. joint_angle\[0\]"),
    "no time": ({"hub": TIME}, FIT, {}, "none is the time"),
    "nothing measured": ({"time": TIME, "u": TIME}, FIT, {"columns": "time, u=drive[0].torque"}, "nothing is measured"),
    "twice": (DATA, FIT, {"columns": "time, hub, hub"}, "hub is there twice"),
    "unit that cannot be": (DATA, FIT, {"columns": "time, hub [kg]"}, "column hub: got unit kg, expected rad or deg"),
    "unit of the time": (DATA, FIT, {"columns": "time [Hz], hub"}, "column time: got unit Hz, expected s or ms"),
    "time that stands": ({**DATA, "time": 0 * TIME}, FIT, {}, "the time does not increase: 0 s after 0 s"),
    "time before the run": ({**DATA, "time": TIME - 0.1}, FIT, {}, "begins at -0.1 s, a run at 0.*say `start`"),
    "time after the start": (
        {**DATA, "u": TIME, "time": TIME + 7}, FIT, {"columns": "time, hub, u=tau_1"},
        "begins at 7 s, and what drives the arm before is not known",
    ),
    "not finite": ({**DATA, "hub": TIME * np.nan}, FIT, {}, "numbers that are not finite"),
    "masked": ({**DATA, "hub": np.ma.masked_less(TIME, 0.1)}, FIT, {}, "numbers that are not finite"),
    "complex": ({**DATA, "hub": TIME + 0j}, FIT, {}, "columns of equally many numbers"),
    "no frequency": (None, FIT, {"frequencies": [None, 3.0]}, "frequencies: got None"),
    "unequal": ({**DATA, "hub": TIME[1:]}, FIT, {}, "equally many numbers"),
    "no table": (3, FIT, {}, "data: got int, expected a CSV file or a mapping"),
    "no data": (None, FIT, {}, "nothing that was measured.*say `data` or `frequencies`"),
    "few rows": ({"time": TIME[:2], "hub": TIME[:2]}, FIT, {}, "got 2 rows, expected at least 3"),
    "few data": (
        {"time": TIME[:3], "hub": TIME[:3]}, [*FIT, "payload.mass", "links[0].mu", "offset:hub"], {},
        "4 unknowns, but 3 measured values",
    ),
    "unknown key": (DATA, ["links[0].EJ"], {}, "unknown key 'links\\[0\\].EJ'"),
    "no number": (DATA, ["links[0]"], {}, "is no number"),
    "of the run": (DATA, ["run.rtol"], {}, "says how the motion is computed"),
    "nothing to fit": (DATA, [], {}, "nothing to fit"),
    "fitted twice": (DATA, [*FIT, *FIT], {}, r"links\[0\].EI is there twice"),
    "bounds": (DATA, ["links[0].EI in [9, 2]"], {}, "the least number is not below the largest"),
    "start beyond bounds": (DATA, ["links[0].EI in [9, 20]"], {}, "begins at 8, which is not within 9 to 20"),
    "no start": (DATA, ["links[0].EI=much"], {}, "'much' is no number"),
    "not written so": (DATA, ["links[0].EI = 3 ~ 4"], {}, "is no number"),
    "unknown column": (DATA, ["offset:tip"], {}, "no column 'tip' is measured, expected one of hub"),
    "unknown kind": (DATA, ["gain:hub"], {}, "expected a key, offset:COLUMN or delay:COLUMN"),
    "no effect": (DATA, [*FIT, "gravity[2]"], {}, r"gravity\[2\] has no effect on what was measured"),
    "noise": (DATA, FIT, {"noise": {"gauge": 1.0}}, "noise: no column 'gauge' is measured"),
    "noise of nothing": (DATA, FIT, {"noise": {"hub": 0.0}}, "noise of hub: got 0.0"),
    "voltage": (DATA, FIT, {"columns": "time=time, hub=u_1"}, "nothing is measured"),
    "no motor": (
        {**DATA, "u": TIME}, FIT, {"columns": "time, hub, u=u_1"}, "the motor of joint 1 has no resistance",
    ),
    "no reference": (
        {**DATA, "r": TIME}, FIT, {"columns": "time, hub, r=r_1"}, "joint 1 has no PD drive",
    ),
    "no such joint": ({**DATA, "u": TIME}, FIT, {"columns": "time, hub, u=tau_2"}, "the arm has 1 joints"),
    "motion beside a torque": (
        {**DATA, "m": TIME}, FIT, {"columns": "time, hub, m=drive[0].motion"}, "motion goes with no other",
    ),
    "frequencies": (None, FIT, {"frequencies": "2 kg"}, "frequencies: got '2 kg', expected e.g. 2.44 Hz"),
    "infinite": (None, FIT, {"frequencies": "1e400"}, "frequencies: got '1e400'"),
    "offset of nothing": (None, ["offset:hub"], {"frequencies": "2"}, "there are no runs over time"),
    "held output": (DATA, FIT, {"columns": "time, hub held"}, "only what drives the arm is held"),
    "held motion": ({**DATA, "m": TIME}, FIT, {"columns": "time, hub, m=drive[0].motion held"}, "it would jump"),
    "order": (None, FIT, {"frequencies": "-, 5, 1"}, "got 1 Hz after 5 Hz, expected the slowest first"),
    "no vibration": (None, FIT, {"damping_ratios": "1 %, 20"}, "damping_ratios: got '20', expected e.g. 0.01"),
    "huge": ({**DATA, "hub": 1e300 * TIME}, FIT, {}, "column hub: got 4.9e.299, expected at most 1e.100"),
    "one number": (None, FIT, {"frequencies": 3}, "frequencies: got 3, expected text or a list"),
    "columns of another kind": (DATA, FIT, {"columns": 3}, "columns: got 3, expected text"),
    "noise of another kind": (DATA, FIT, {"noise": 3}, "noise: got 3, expected a mapping"),
    "channel of one name": (None, FIT, {"frequencies": "2", "channel": "tip"}, "channel: got .tip."),
    "damping": (None, FIT, {"damping_ratios": "-1"}, "damping_ratios: got '-1'"),
    "too many modes": (
        None, FIT, {"frequencies": "2, 3, 4", "joints": "locked"}, "mode 3 was measured, but 1 vibrate here",
    ),
    "few frequencies": (None, [*FIT, "links[0].mu"], {"frequencies": "2"}, "2 unknowns, but 1 measured values"),
    "starts": (DATA, FIT, {"starts": 0}, "starts: got 0"),
    "workers": (DATA, FIT, {"workers": 0, "starts": 2}, "workers: got 0"),
    "workers of one start": (DATA, FIT, {"workers": 2}, "workers: got 2, but the search from one start .*say `starts`"),
    "check alone": (None, FIT, {"frequencies": "2", "check": DATA}, "held back, but none that is fitted"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_one_line_says_what_is_wrong(name):
    data, fit, options, words = CASES[name]
    with pytest.raises(FlexarmError) as raised:
        flexarm.identify(flexarm.parse_arm(ARM), data, fit, **options)
    assert isinstance(raised.value, ModelError | SpecError)
    assert re.search(words, str(raised.value)), str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("{torque: 0}", "{controller: c}"), "c is a Python function, whose derivatives are not known"),
        (("{joint: 1}", "{joint: 1, period: 0.02, resolution: 0.01}"), "hub measures in steps of its resolution"),
    ],
)  # fmt: skip
def test_arms_that_are_not_fitted(change, words):
    text = ARM.replace(*change)
    if change[0] in ("{torque: 0}", "{joint: 1}"):
        kind = "function: f" if "controller" in text else "gain: -1"
        text = text.replace("{torque: 0}", "{controller: c}")
        text += f"controllers: {{c: {{{kind}, inputs: hub, period: 0.02}}}}\n"
    with pytest.raises(FlexarmError, match=words):
        flexarm.identify(flexarm.parse_arm(text), DATA, FIT)


WALL = "contact: {restitution: 0.6, walls: [{point: [0, -0.9], normal: [0, 1]}]}\n"


@pytest.mark.parametrize(
    ("fit", "words"),
    [
        (
            "delay:hub",
            "delays are not fitted where an arm has walls, limits or dry friction.*or shift the column",
        ),
        ("contact.walls[1].point[1]", "there is no 'contact.walls.1..point.1.'"),
        ("contact.restitution=1.5 in [1.2, 2]", "restitution"),
        ("contact.restitution", "contact.restitution has no effect on what was measured"),
    ],
)
def test_what_is_not_fitted_of_walls(fit, words):
    with pytest.raises(FlexarmError, match=words) as raised:
        flexarm.identify(flexarm.parse_arm(ARM + WALL), DATA, [*FIT, fit])
    assert "\n" not in str(raised.value)


def test_files_that_are_no_tables(tmp_path):
    path = tmp_path / "run.csv"
    arm = flexarm.parse_arm(ARM)
    for content, words in (
        ("time, hub\n0, 1\n1, x\n", "got 'x', expected a number"),
        ("time, hub\n1, 1\n0, 2\n", "expected an increasing first column"),
        ("0, 1\n1, 2\n2, 3\n", "no header that names its columns.*say `columns`"),
    ):
        path.write_text(content)
        with pytest.raises(FlexarmError, match=words):
            flexarm.identify(arm, path, FIT)
    path.write_text("0, 1\n1, 2\n2, 3\n")
    with pytest.raises(ModelError, match="got 2 columns, expected 3: time, hub, tip_y"):
        flexarm.identify(arm, path, FIT, columns="time, hub, tip_y")
    with pytest.raises(SpecError, match="no such file"):
        flexarm.identify(arm, tmp_path / "none.csv", FIT)


def test_stress_is_no_column():
    made = "material: {E: 7.0e10, rho: 2700}, section: {shape: tube, diameter: 0.02, thickness: 0.002}"
    arm = flexarm.parse_arm(ARM.replace("mu: 1.2, EI: 8", made).replace("0.01}", "0.01, record: [loads]}"))
    with pytest.raises(
        ModelError, match=r"column hub: stress_max\[0,0\] is the largest in a section.*strain@"
    ):
        flexarm.identify(arm, data=DATA, columns="time, hub=stress_max[0,0]", fit=["links[0].length"])
