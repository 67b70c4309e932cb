"""The names that `import flexarm` offers: one list, read by type checkers and by the program."""

import ast
import re

import pytest
import yaml
from paths import PROJECT

import flexarm

STUB = ast.parse((PROJECT / "flexarm" / "__init__.pyi").read_text())
PUBLIC = {
    alias.name: node.module for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names
}


def test_all_and_dir_are_the_names_of_the_stub():
    assert flexarm.__all__ == dir(flexarm) == sorted(PUBLIC)
    assert len(PUBLIC) > 30


def test_stub_exports_every_name():
    """A type checker takes an import of a stub for public only if it is written `X as X`."""
    aliases = [alias for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert [alias.name for alias in aliases] == [alias.asname for alias in aliases]


@pytest.mark.parametrize("name", PUBLIC)
def test_public_names_are_documented_where_the_stub_says(name):
    public = getattr(flexarm, name)
    assert public.__module__ == f"flexarm.{PUBLIC[name]}"
    assert public.__doc__


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="simulat"):
        flexarm.simulat  # noqa: B018


def test_version_is_that_of_the_change_log_and_of_the_citation():
    released = re.search(r"^## \[(\d+\.\d+\.\d+)\]", (PROJECT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert flexarm.__version__ == released[1]
    assert yaml.safe_load((PROJECT / "CITATION.cff").read_text())["version"] == flexarm.__version__
