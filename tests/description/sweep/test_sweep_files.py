"""Files that describe sweeps: what they mean, and every fault with its line."""

import numpy as np
import pytest
from paths import ROBOTS

from flexarm.description.reading.loader import is_sweep, load_arm, load_sweep, sweep_from_entries
from flexarm.description.sweep.varied_values import Levels, Range, quantity_limit, varied
from flexarm.errors import SpecError

SWEEP = """\
# comment
arm: arm.yaml
vary:
  links[*].EI: 500:2000:4
  payload.mass: [0, 0.5, 2]
  initial.joints[0]: -90 deg:90 deg
sample: {count: 8, seed: 1, method: sobol}
record: [final_tip, steps]
series: tip
"""


@pytest.fixture
def described(tmp_path):
    def load(text):
        path = tmp_path / "sweep.yaml"
        path.write_text(text)
        return load_sweep(path)

    return load


def test_a_sweep_is_read(described):
    sweep = described(SWEEP)
    assert (sweep.arm, sweep.record, sweep.series) == ("arm.yaml", ("final_tip", "steps"), ("tip",))
    assert sweep.vary["links[*].EI"] == Levels(values=(500.0, 1000.0, 1500.0, 2000.0))
    assert sweep.vary["payload.mass"] == Levels(values=(0.0, 0.5, 2.0))
    assert sweep.vary["initial.joints[0]"] == Range(low=-90, high=90, unit="deg")
    assert (sweep.sample.count, sweep.sample.seed, sweep.sample.method) == (8, 1, "sobol")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1:2:3", (1, 1.5, 2)),
        ("2:1:3", (2, 1.5, 1)),
        ("1:100:3:log", (1, 10, 100)),
        ("1, 2,5e-1", (1, 2, 0.5)),
        (4, (4,)),
        ([1, "3"], (1, 3)),
        ("-30 deg:30 deg:3", (-30, 0, 30)),
    ],
)
def test_levels(text, values):
    np.testing.assert_allclose(varied(text).values, values, rtol=1e-14)


def test_a_limit_in_degrees():
    assert quantity_limit("90 deg") == pytest.approx(np.pi / 2)
    assert quantity_limit(" -2.5 ") == -2.5
    with pytest.raises(ValueError, match="expected"):
        quantity_limit("x")


FAULTS = [
    ("arm: arm.yaml\n", "", None, "arm", ["missing"]),
    ("series: tip", "serie: tip", 9, "serie", ["'series'"]),
    ("500:2000:4", "500:2000:1", 4, "vary.links[*].EI", ["at least 2"]),
    ("500:2000:4", "500:2000:x", 4, "vary.links[*].EI", ["whole number"]),
    ("500:2000:4", "500:500:4", 4, "vary.links[*].EI", ["different"]),
    ("500:2000:4", "0:2000:4:log", 4, "vary.links[*].EI", ["> 0"]),
    ("500:2000:4", "a:b:4", 4, "vary.links[*].EI", ["START:STOP:COUNT"]),
    ("500:2000:4", "1:2:3:4", 4, "vary.links[*].EI", ["START:STOP:COUNT"]),
    ("500:2000:4", "{from: 1}", 4, "vary.links[*].EI", ["START:STOP:COUNT"]),
    ("[0, 0.5, 2]", "[0, 0]", 5, "vary.payload.mass", ["twice"]),
    ("[0, 0.5, 2]", "[]", 5, "vary.payload.mass", ["START:STOP:COUNT"]),
    ("[0, 0.5, 2]", "[.nan]", 5, "vary.payload.mass", ["START:STOP:COUNT"]),
    ("-90 deg:90 deg", "-90 deg:1 rad", 6, "vary.initial.joints[0]", ["same unit"]),
    ("-90 deg:90 deg", "90 deg:-90 deg", 6, "vary.initial.joints[0]", ["LOW below HIGH"]),
    ("count: 8", "count: 9", 7, "sample.count", ["8 or 16"]),
    ("count: 8", "count: 0", 7, "sample.count", [">= 1"]),
    ("sobol", "sobel", 7, "sample.method", ["'sobol'"]),
    ("sample: {count: 8, seed: 1, method: sobol}\n", "", 6, "vary.initial.joints[0]", ["sample"]),
    ("-90 deg:90 deg", "0", 7, "sample", ["no key has a range"]),
    (SWEEP[SWEEP.index("  links") : SWEEP.index("sample")], "  {}\n", 3, "vary", ["at least one key"]),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "words"), FAULTS, ids=lambda value: str(value)[:40])
def test_a_fault_is_reported_with_line_key_and_words(described, old, new, line, key, words):
    assert old in SWEEP
    with pytest.raises(SpecError) as caught:
        described(SWEEP.replace(old, new))
    found = [problem for problem in caught.value.problems if problem.key == key]
    assert [problem.line for problem in found] == [line], str(caught.value)
    assert all(word in str(found[0]) for word in words), str(found[0])


def test_a_fault_of_options_names_the_key():
    with pytest.raises(SpecError, match=r"vary\.payload\.mass: got '1:x'"):
        sweep_from_entries(arm="", vary={"payload.mass": "1:x"})


def test_arms_and_sweeps_are_reported_apart(tmp_path):
    assert not is_sweep(ROBOTS / "usoro_two_link.yaml")
    assert not is_sweep(tmp_path / "missing.yaml")
    for path in (ROBOTS / "sweeps").glob("*.yaml"):
        assert is_sweep(path)
        assert load_arm(path.parent / load_sweep(path).arm)
