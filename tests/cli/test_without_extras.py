"""What an installation without extras says to who needs one: its name in one line, and no traceback."""

import re
import sys
import tomllib
from itertools import chain

import pytest
from paths import PROJECT, ROBOTS

OUTLINE = """
name: outline
links: [{length: 1, material: {E: 7e10, rho: 2700}, section: {polygon: outline.csv}}]
run: {duration: 0.1, sample: 0.1}
"""
PARTS = {
    "yaml": "pyyaml", "PIL": "pillow", "mpl_toolkits": "matplotlib", "pydantic_core": "pydantic",
    "distributed": "dask", "shapely": "sectionproperties", "lxml": "yourdfpy",
}  # fmt: skip
"""Packages under another name than that which is installed, and those that come with another one."""
IMPORT = re.compile(r"^\s*(?:from|import) (\w+)", re.MULTILINE)
SWEEP = ["sweep", "small.yaml", "--vary", "payload.mass=0:1:2", "--scheduler", "tcp://a:1"]


@pytest.mark.parametrize(
    ("package", "arguments", "code", "extra"),
    [
        ("yourdfpy", ["import", ROBOTS / "urdf" / "slide_arm.urdf"], 4, "urdf"),
        ("sectionproperties", ["check", "outline.yaml"], 2, "sections"),
        ("distributed", SWEEP, 2, "sweep"),
    ],
)  # fmt: skip
def test_a_command_names_the_extra_that_it_needs(
    flexarm, folder, monkeypatch, package, arguments, code, extra
):
    (folder / "outline.csv").write_text("0, 0\n0.02, 0\n0.02, 0.03\n0, 0.03\n")
    (folder / "outline.yaml").write_text(OUTLINE)
    monkeypatch.setitem(sys.modules, package, None)
    done = flexarm(*arguments)
    assert done.exit_code == code
    assert re.fullmatch(rf"flexarm: error: .*\(pip install 'flexarm\[{extra}\]'\)\n", done.stderr)


def test_everything_that_is_imported_is_a_dependency_or_an_extra():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extras = {
        name: part for name, part in project["optional-dependencies"].items() if name not in ("dev", "docs")
    }
    needed = {re.match(r"[\w-]+", one)[0] for one in [*project["dependencies"], *chain(*extras.values())]}
    used = {
        name
        for file in (PROJECT / "flexarm").rglob("*.py")
        for name in IMPORT.findall(re.sub(r'"""[\s\S]*?"""', "", file.read_text()))
    }
    foreign = {
        PARTS.get(name, name.replace("_", "-")) for name in used - set(sys.stdlib_module_names) - {"flexarm"}
    }
    assert foreign <= needed, foreign - needed
