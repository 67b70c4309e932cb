"""Runs found again: the same to the last bit, and found for the same arm, sources and settings alone."""

import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
from breadth import thinned
from paths import ROBOTS

import flexarm
from flexarm.codegen import object_cache
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.run_cache import run_key as keys
from flexarm.simulation.forward.run_cache.run_key import run_key
from flexarm.simulation.forward.run_cache.stored_run import store_run, stored_run
from flexarm.simulation.forward.stored_equations import StoredEquations

STORED = [
    "usoro_two_link", "rigid_two_link", "flying_beam", "negrean_2004_two_link", "single_link_cantilever",
    "dc_motor_link", "flexible_pendulum",
]  # fmt: skip
"""Arms whose runs need nothing but machine code."""

NOT_STORED = ["falling_two_link_in_circle", "limited_two_link", "spin_up_beam", "gantry_boom"]
"""With walls, with limits, with break points, and with steps that have to see how a reference changes."""

SERVO = """
name: servo
links: [{length: 1.0, mu: 2.0, EI: 800.0, modes: {family: clamped-free, count: 1}}]
drive: [{pd: {kp: 300.0, kd: 20.0, ki: 50.0, reference: "0.5*sin(t)"}}]
initial: {joints: [10 deg]}
run: {duration: 0.2, sample: 0.01}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    """An empty cache."""
    monkeypatch.setattr(object_cache, "_folders", lambda: [tmp_path / "cache"])
    return tmp_path / "cache"


def short(name: str) -> flexarm.Arm:
    return flexarm.load_arm(ROBOTS / f"{name}.yaml").replace("run.duration", 0.05)


def key_of(arm: flexarm.Arm) -> str:
    key = run_key(arm, time.time())
    assert key is not None
    return key


def computed(run) -> dict[str, np.ndarray]:
    blocks = list(run.blocks())
    assert run.status == "complete"
    return {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}


def derived_and_stored(arm: flexarm.Arm) -> dict[str, np.ndarray]:
    run = prepare_run(arm)
    found = computed(run)
    store_run(key_of(arm), run)
    return found


@pytest.mark.parametrize("name", thinned(STORED))
def test_stored_run_is_the_same_to_the_last_bit(name):
    arm = short(name)
    derived = derived_and_stored(arm)
    run = stored_run(key_of(arm), arm, "again")
    assert run is not None
    assert isinstance(run.state_equation, StoredEquations)
    assert (
        run.state_equation.n_observables
        == sum(int(np.prod(values.shape[1:])) for values in derived.values()) - 1
    )
    found = computed(run)
    assert found.keys() == derived.keys()
    for dataset, values in derived.items():
        np.testing.assert_array_equal(found[dataset], values, err_msg=dataset)
    assert run.attributes["command"] == "again"
    assert not run.instants


@pytest.mark.parametrize(
    "change", [{"run.method": "rk4", "run.step": 1e-4}, {"run.formulation": "gibbs-appell"}]
)
def test_method_and_formulation_are_those_of_the_arm(change):
    arm = short("usoro_two_link")
    run = arm.run.model_copy(update={key.partition(".")[2]: value for key, value in change.items()})
    arm = arm.model_copy(update={"run": run})
    derived = derived_and_stored(arm)
    found = stored_run(key_of(arm), arm, "")
    assert found is not None
    np.testing.assert_array_equal(computed(found)["joint_angle"], derived["joint_angle"])
    assert found.unstable_step == prepare_run(arm).unstable_step


def test_state_with_integrals_of_drives():
    arm = flexarm.parse_arm(SERVO)
    derived = derived_and_stored(arm)
    found = stored_run(key_of(arm), arm, "")
    assert found is not None
    np.testing.assert_array_equal(computed(found)["torque"], derived["torque"])


@pytest.mark.parametrize("name", NOT_STORED)
def test_what_needs_more_than_machine_code_is_not_stored(name):
    arm = short(name)
    store_run(key_of(arm), prepare_run(arm))
    assert stored_run(key_of(arm), arm, "") is None


def test_implicit_methods_are_not_stored():
    arm = short("usoro_two_link")
    arm = arm.model_copy(update={"run": arm.run.model_copy(update={"method": "radau"})})
    store_run(key_of(arm), prepare_run(arm))
    assert stored_run(key_of(arm), arm, "") is None


def test_nothing_is_found_without_its_machine_code(folder):
    arm = short("usoro_two_link")
    derived_and_stored(arm)
    for file in folder.glob("equations.*"):
        file.unlink()
    assert stored_run(key_of(arm), arm, "") is None


def test_the_same_arm_has_the_same_key():
    assert key_of(short("spatial_three_link")) == key_of(short("spatial_three_link"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("links[1].EI", np.nextafter(1000.0, 2000.0)), ("payload.mass", 0.1), ("links[1].modes.count", 2),
        ("initial.joints[1]", 0.1), ("run.rtol", 1e-8), ("run.sample", 0.002),
    ],
)  # fmt: skip
def test_another_number_is_another_key(key, value):
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    assert key_of(arm.replace(key, value)) != key_of(arm)


@pytest.mark.parametrize(
    "update",
    [
        {"gravity": (0.0, -9.81, -0.0)}, {"geometric_stiffening": True}, {"name": "another"}, {"base": "planar"},
        {"link_rotation": "small"},
    ],
)  # fmt: skip
def test_another_field_is_another_key(update):
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    assert key_of(arm.model_copy(update=update)) != key_of(arm)


def test_whole_numbers_are_not_floats():
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    assert key_of(arm.model_copy(update={"gravity": (0, -9.81, 0.0)})) != key_of(arm)


def test_there_is_no_key_for_what_cannot_be_written_down():
    arm = flexarm.load_arm(ROBOTS / "usoro_two_link.yaml")
    assert run_key(arm.model_copy(update={"loads": (object(),)}), time.time()) is None


def test_there_is_no_key_when_a_source_has_changed_since_the_process_began():
    newest = max(file.stat().st_ctime for file in Path(flexarm.__file__).parent.glob("model/*.py"))
    assert run_key(short("usoro_two_link"), newest - 1.0) is None


def test_sources_versions_and_settings_belong_to_the_key(monkeypatch):
    arm = short("usoro_two_link")
    before = [key_of(arm)]
    for name, value in (
        ("_sources", lambda _: "others"),
        ("_versions", lambda: ["numpy-0.dist-info"]),
        ("_c_library", lambda: "another"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(keys, name, value)
            before.append(key_of(arm))
    monkeypatch.setenv("OPENBLAS_CORETYPE", "another")
    before.append(key_of(arm))
    monkeypatch.setattr(object_cache, "_processor", lambda: b"another")
    before.append(key_of(arm))
    assert len(set(before)) == len(before)


def test_there_is_no_key_without_versions(monkeypatch):
    monkeypatch.setattr(keys, "LIBRARIES", ("numpy", "no_such_library"))
    assert run_key(short("usoro_two_link"), time.time()) is None


def test_there_is_no_key_when_a_source_cannot_be_read(tmp_path, monkeypatch):
    """Editors leave links to nowhere beside a file that is being changed."""
    (tmp_path / "__init__.py").touch()
    monkeypatch.setattr(flexarm, "__file__", str(tmp_path / "__init__.py"))
    arm, later = short("usoro_two_link"), time.time() + 1.0
    assert run_key(arm, later) is not None
    (tmp_path / ".#arm.py").symlink_to("user@host.1234")
    assert run_key(arm, later) is None


def test_unused_folders_are_the_layers_above_the_simulation():
    settings = tomllib.loads((ROBOTS.parent / "pyproject.toml").read_text())
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    above = " | ".join(layers[: layers.index("flexarm.simulation")]).replace("flexarm.", "").split(" | ")
    assert sorted(above) == sorted(keys.UNUSED)


def test_the_library_derives_unless_it_is_told_when_the_process_began(tmp_path, folder):
    arm = short("usoro_two_link")
    flexarm.simulate(arm, output=tmp_path / "run.h5")
    assert not list(folder.glob("run.*"))
    flexarm.simulate(arm, output=tmp_path / "run.h5", overwrite=True, process_start=time.time())
    assert len(list(folder.glob("run.*"))) == 1


def test_nothing_is_stored_when_a_source_has_changed_since_the_key_was_made(tmp_path, folder, monkeypatch):
    """Modules that derive are loaded after the key is made, from the sources that there are then."""
    sources = iter(["before", "after"])
    monkeypatch.setattr(keys, "_sources", lambda _: next(sources))
    flexarm.simulate(short("usoro_two_link"), output=tmp_path / "run.h5", process_start=time.time())
    assert not list(folder.glob("run.*"))
    assert next(sources, None) is None
