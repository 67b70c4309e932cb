"""Results, arms, modes and linear models as Python and notebooks show them."""

import re
import sys

import numpy as np
import pytest
from matplotlib.figure import Figure

import flexarm

TEXT = """\
# a comment that stays
name: shown
links:
  - {length: 1.0, mu: 1.0, EI: 50.0, modes: [{count: 1}, {count: 1, direction: torsion}], GJ: 20, rotary_inertia: 0.01}
  - {length: 0.5, mu: 1.0}       # rigid
payload: {mass: 0.1, inertia: 0.1}
initial: {joints: [20 deg, 0]}
run: {duration: 0.1, sample: 0.01}
"""


@pytest.fixture(scope="module")
def arm():
    return flexarm.parse_arm(TEXT.replace("rotary_inertia: 0.01", "rotary_inertia: [0.01, 0, 0]"))


@pytest.fixture(scope="module")
def result(arm):
    return flexarm.simulate(arm)


@pytest.fixture(scope="module")
def sweep(arm):
    return flexarm.sweep(
        arm, vary={"payload.mass": "0,1", "initial.joints[0]": "0,1"}, series=["tip"], workers=1
    )


@pytest.mark.slow
def test_everything_says_what_it_is_in_a_line(arm, result, sweep):
    modes, model = flexarm.natural_modes(arm), flexarm.linearize(arm)
    for shown in (arm, result, sweep, modes, model, flexarm.static_equilibrium(arm)):
        assert "\n" not in repr(shown)
        assert len(repr(shown)) < 120
        assert "'shown'" in repr(shown)
    assert str(result).count("\n") == len(result)
    assert str(sweep).count("\n") == len(sweep)


def test_notebooks_get_tables(arm, result, sweep):
    for shown in (arm, result, sweep, flexarm.natural_modes(arm), flexarm.linearize(arm)):
        page = shown._repr_html_()
        assert page.count("<tr>") > 2
        assert page.count("<table>") == page.count("</table>") == 1
    assert "a comment that stays" in arm._repr_html_()
    assert "link_deflection" in result._repr_html_()


def test_text_in_tables_is_escaped():
    arm = flexarm.parse_arm(
        "# <script>alert(1)</script>\n" + TEXT.replace("rotary_inertia: 0.01", "rotary_inertia: [0.01, 0, 0]")
    )
    assert "<script>" not in arm._repr_html_()


def test_frequencies_and_tip(arm, result):
    modes = flexarm.natural_modes(arm)
    np.testing.assert_array_equal(modes.frequencies, modes.modes.natural_frequency)
    np.testing.assert_array_equal(result.tip, result.point_position[:, -1])


@pytest.mark.slow
def test_pictures_by_name(result, sweep):
    for figure in (flexarm.plot(result, "tip"), result.plot(), result.plot("joints"), sweep.plot()):
        assert isinstance(figure, Figure)
        assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    with pytest.raises(flexarm.ResultError, match="did you mean 'tip'"):
        result.plot("tips")
    with pytest.raises(flexarm.ResultError, match="there are stroboscope, joints"):
        flexarm.plot(result, "nothing of the kind")


@pytest.mark.slow
def test_dataset_of_xarray_is_what_a_file_opens_as(result, sweep, tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    for k, one in enumerate((result, sweep)):
        one.save(tmp_path / f"{k}.h5")
        with xarray.open_dataset(tmp_path / f"{k}.h5", engine="h5netcdf") as stored:
            data = one.to_xarray()
            assert set(data.coords) == set(stored.coords)
            assert set(data.data_vars) == set(stored.data_vars)
            for name, array in data.variables.items():
                assert array.dims == stored[name].dims
                assert array.attrs["units"] == stored[name].attrs["units"]
                assert array.attrs["long_name"] == stored[name].attrs["long_name"]
                np.testing.assert_array_equal(array.values, stored[name].values)


def test_without_xarray_its_installation_is_named(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(flexarm.ResultError, match=re.escape("pip install 'flexarm[xarray]'")):
        result.to_xarray()


def test_a_replaced_value_keeps_the_rest_of_the_text(arm):
    other = arm.replace("payload.mass", 0.2)
    assert (other.payload.mass, arm.payload.mass) == (0.2, 0.1)
    assert other.text == arm.text.replace("mass: 0.1", "mass: 0.2")
    assert flexarm.parse_arm(other.text) == other


def test_keys_are_those_of_sweeps(arm):
    other = arm.replace(
        {"links[0].EI": 60, "links[*].mu": 2, "initial.joints[1]": "10 deg", "run.duration": "3/2"}
    )
    assert other.links[0].EI.y.values == (60.0, 60.0)
    assert [link.mu.mean for link in other.links] == [2.0, 2.0]
    assert other.initial.joints[1] == pytest.approx(np.radians(10))
    assert other.run.duration == 1.5


def test_what_the_text_leaves_out_is_added(arm):
    other = arm.replace({"gravity[1]": -1.62, "joints[1].friction.viscous": 0.5, "payload.offset[0]": 0.1})
    assert other.gravity == (0.0, -1.62, 0.0)
    assert [joint.friction.viscous for joint in other.joints] == [0.0, 0.5]
    assert other.payload.offset == (0.1, 0.0, 0.0)
    assert other.links == arm.links


def test_parameters_are_replaced_and_so_is_what_depends_on_them():
    arm = flexarm.parse_arm("name: p\nparameters: {l: 2, m: 3*l}\nlinks: [{length: l, mu: m/l}]\n")
    other = arm.replace({"parameters.l": 4.0, "parameters.m": "l/2"})
    assert (other.links[0].length, other.links[0].mu.mean) == (4.0, 0.5)


def test_an_expression_is_replaced():
    text = "name: p\nparameters: {l: 2, m: 3*l}\nlinks: [{length: l, mu: m/l}]  # of l and m\n"
    other = flexarm.parse_arm(text).replace("parameters.m", 7).replace("links[0].mu", 5)
    assert other.text == text.replace("m/l", "5.0").replace("3*l", "7.0")
    assert other.links[0].mu.mean == 5


FAULTS = [
    ({"payload.mas": 1.0}, "unknown key 'payload.mas' (did you mean 'payload.mass'?)"),
    ({"links[7].EI": 1.0}, "links has 2 entries"),
    ({"links[0]": 1.0}, "'links[0]' is no number"),
    ({"payload.mass": -1.0}, "payload.mass = -1: payload.mass: got -1.0, expected a number >= 0"),
    ({"payload.mass": "heavy"}, "got 'heavy', expected a number"),
    ({"name": "other"}, "'name' is no number"),
    ({"no key": 1.0}, "'no key' is not a key"),
]


@pytest.mark.parametrize(("changes", "words"), FAULTS)
def test_faults_are_those_of_sweeps(arm, changes, words):
    with pytest.raises(flexarm.SpecError, match=re.escape(words)):
        arm.replace(changes)


def test_an_arm_that_was_changed_by_hand_is_refused(arm):
    changed = arm.model_copy(update={"gravity": (0.0, 0.0, 0.0)})
    with pytest.raises(flexarm.SpecError, match="changed after it was read"):
        changed.replace("payload.mass", 1.0)


def test_a_key_needs_a_value(arm):
    with pytest.raises(TypeError, match="needs a value"):
        arm.replace("payload.mass")
