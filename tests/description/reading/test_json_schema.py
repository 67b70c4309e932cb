"""The JSON Schema describes the YAML as it is typed, with a meaning and a unit for every key."""

import re

import paths
import pytest
from description.arm_texts import TWO_LINK, changed
from description.bad_inputs import FAULTS
from description.reading.schema_checker import is_valid

from flexarm.description import arm_json_schema, parse_arm
from flexarm.description.reading.yaml_files.yaml_text import read_yaml
from flexarm.errors import SpecError

SCHEMA = arm_json_schema()
ROBOTS = sorted(paths.ROBOTS.glob("*.yaml"))
MODES = "{family: clamped-free, count: 2}"

# The example of the project's design, with the keys that only its comments name.
DESIGN_EXAMPLE = """\
name: usoro-two-link
gravity: [0, -9.81, 0]
base: fixed
link_rotation: finite
links:
  - length: 1.0
    mu: 5.0
    EI: 1000.0
    modes: {family: clamped-free, count: 1}
    damping: 0.0
    rotary_inertia: [0, 0, 0]
  - {length: 1.0, mu: 5.0, EI: 1000.0, modes: {family: clamped-free, count: 1}}
joints:
  - {}
  - {twist: 0 deg, friction: {viscous: 0.0, coulomb: 0.0}, mass: 0.0, motor: {inertia: 0.0, gear: 1}}
payload: {mass: 0.0}
initial: {joints: [-90 deg, 5 deg]}
drive: []
loads: []
run: {duration: 3.0, sample: 0.01, method: dop853, rtol: 1e-9, atol: 1e-11, formulation: articulated}
"""

DRIVE = "[null, null]"
FORMS = {
    "as it is": TWO_LINK,
    "design": DESIGN_EXAMPLE,
    "stations": changed(("mu: 5.0", "mu: {eta: [0, 1], values: [1, 2]}")),
    "table": changed(("mu: 5.0", 'mu: {table: "0 1\\n1 2"}')),
    "EI": changed(("EI: 1000.0", "EI: {y: {eta: [0, 1], values: [1, 2]}, z: 3}")),
    "damping": changed(("EI: 1000.0", "EI: 1000.0\n    damping: [0.1, 0.2]")),
    "material": changed(
        (
            "{length: 1.0, mu: 4.0}",
            "{length: 1, material: {E: 1e9, rho: 1e3, nu: 0.3}, "
            "section: {shape: tube, diameter: 1, thickness: 0.1}}",
        )
    ),
    **{
        f"section {name}": changed(
            (
                "{length: 1.0, mu: 4.0}",
                f"{{length: 1, material: {{E: 1e9, rho: 1e3, nu: 0.3, strength: 1e8}}, section: {section}}}",
            )
        )
        for name, section in (
            ("I", "{shape: I, height: 0.3, width: 0.15, web: 0.01, flange: 0.01, radius: 0.01}"),
            ("tapered", "{shape: circle, diameter: {eta: [0, 1], values: [0.2, 0.1]}}"),
            ("tabled", '{shape: circle, diameter: {table: "0 0.2\\n1 0.1"}}'),
            (
                "general",
                "{general: {A: 0.01, I_y: 1e-5, I_z: 1e-5, J: 1e-5, A_y: 5e-3, A_z: 5e-3, "
                "points: [[0.1, 0.1], [-0.1, -0.1]]}}",
            ),
        )
    },
    "mode number": changed((MODES, "3")),
    "mode list": changed((MODES, "[{family: hinged, count: 3}, {family: polynomial, count: 1}]")),
    "tip": changed((MODES, "{family: clamped-loaded, count: 3, tip: {mass: 1, inertia: 0.1}}")),
    "auto": changed((MODES, "{family: clamped-loaded, count: 3, tip: auto, normalisation: tip}")),
    "mode table": changed((MODES, '{family: table, count: 1, table: "0 0\\n0.2 1\\n0.4 2\\n1 3"}')),
    "torque": changed((DRIVE, "[{torque: 3}, {}]")),
    "expression": changed((DRIVE, "[{torque: 3*t}, null]")),
    "torque table": changed((DRIVE, '[{torque: {table: "0 1\\n3 2", interpolation: cubic}}, null]')),
    "parameters": changed(
        ("gravity", "parameters: {b: 0.1, h: 2*b, a: 30 deg}\ngravity"),
        ("length: 1.0", "length: 10*b"),
        ("mu: 5.0", "mu: {eta: [0, 10*b], values: [h, 2*h]}"),
        ("[-90 deg]", "[a - pi/2]"),
    ),
    "times": changed((DRIVE, "[{torque: {times: [0, 3], values: [1, 2]}}, null]")),
    "pd": changed((DRIVE, "[{pd: {kp: 1, kd: 0, reference: 30 deg}}, null]")),
    "loads": changed(
        (
            "loads: []",
            "loads: [{at: tip, force: [0, t, 1]}, {at: {link: 1, at: 0}, moment: [0, 0, 1], frame: link}]",
        )
    ),
    "inertia": changed(("{mass: 1.0}", "{mass: 1.0, inertia: [1, 1, 1, 0, 0, 0], offset: [0, 0, 1]}")),
    "rk4": changed(("sample: 0.01", "sample: 0.01, method: rk4, step: 1e-3")),
    "equilibrium": changed(("[-90 deg]", "[-90 deg], equilibrium: true")),
    "planar": changed(
        ("gravity", "base: planar\ngravity"), ("[-90 deg]", "[0], base: [1, 2], base_rates: [0, 1]")
    ),
    "free": changed(
        ("gravity", "base: free\ngravity"),
        ("  - {}", "  - {type: fixed}"),
        ("[-90 deg]", "[], base: [1, 2, 3, 30 deg, 0, 0.1], base_rates: [0, 0, 0, 30 deg/s, 0, 0]"),
    ),
    "contact": changed(
        (
            "gravity",
            "contact: {walls: [{point: [0, 0], normal: [0, 1, 0]}, {circle: {center: [0, 0], radius: 2, side: inside}, "
            "restitution: 0.5}], points: [O2, {link: 1, at: 0.5}]}\ngravity",
        )
    ),
    "one point": changed(
        ("gravity", "contact: {walls: [{point: [0, 0], normal: [0, 1]}], points: O2}\ngravity")
    ),
}

# How faults of a single key are reported; others need arithmetic, other keys, a file or an expression's text: a word
# in the place of a number may be a parameter.
OF_ONE_KEY = re.compile(
    r"unknown key|got (?!nan|inf|-inf|'[\w+-.]*', expected a (whole )?number).*, expected "
    r"(a number|a whole number|a number [<>]=? \S+|keys and values|a list|a list of 3 numbers.*"
    r"|one of (?!them).*|true or false|text|fixed)"
)


def has_fault_of_one_key(text):
    with pytest.raises(SpecError) as caught:
        parse_arm(text)
    return any(OF_ONE_KEY.fullmatch(problem.message) for problem in caught.value.problems)


FAULTY = [
    text
    for old, new, *_ in FAULTS
    if "table" not in new and has_fault_of_one_key(text := changed((old, new)))
]


def document(text):
    return read_yaml(text, "text").data


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_what_the_parser_accepts_the_schema_accepts(text):
    parse_arm(text)
    assert is_valid(document(text), SCHEMA, SCHEMA)


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_the_robots_follow_the_schema(path):
    assert is_valid(document(path.read_text(encoding="utf-8")), SCHEMA, SCHEMA)


@pytest.mark.parametrize("text", FAULTY)
def test_the_schema_sees_what_is_wrong_with_a_single_key(text):
    assert not is_valid(document(text), SCHEMA, SCHEMA)


def test_many_faults_are_of_one_key():
    assert len(FAULTY) > 50


def test_the_schema_sees_missing_keys():
    without_name, without_mu = changed(("name: two-link\n", "")), changed(("mu: 5.0\n    ", ""))
    assert not is_valid(document(without_name), SCHEMA, SCHEMA)
    assert not is_valid(document(without_mu), SCHEMA, SCHEMA)


def entries(node):
    """Every key of the schema: its name and its entry."""
    if isinstance(node, list):
        for item in node:
            yield from entries(item)
    elif isinstance(node, dict):
        yield from node["properties"].items() if isinstance(node.get("properties"), dict) else ()
        for item in node.values():
            yield from entries(item)


def kinds(entry):
    """Types that an entry allows, those of lists and alternatives included."""
    options = [*entry.get("anyOf", []), *([entry["items"]] if "items" in entry else [])]
    return {entry.get("type"), entry.get("const")}.union(*(kinds(option) for option in options))


UNIT_OF_THE_LINK_QUANTITY = ("values", "eta")  # a profile's values have the unit of the key that holds it


def test_every_key_has_its_meaning_and_every_number_its_unit():
    found = list(entries(SCHEMA))
    assert len(found) > 60
    for name, entry in found:
        assert entry.get("description"), name
        if "number" in kinds(entry) and name not in UNIT_OF_THE_LINK_QUANTITY:
            assert re.search(r"\[.+\]$", entry["description"]), (name, entry["description"])


def test_what_is_no_key_is_not_in_the_schema():
    names = {name for name, _ in entries(SCHEMA)}
    assert not names & {"text", "n_modes"}
    assert "title" not in str(SCHEMA)
