"""Modules in whose place something stands until they are used."""

import subprocess
import sys

import pytest

LOADED = "print('email' in sys.modules)"
"""Whether importlib.metadata is really there, which reads e-mail."""


def printed(code: str) -> list[str]:
    begin = "import sys; from flexarm.cli.deferred_module import defer; defer('importlib.metadata', 'entry_points')"
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{begin}\n{code}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    "statement",
    [
        "import importlib.metadata",
        "import importlib.metadata as metadata",
        "from importlib import metadata",
        "from importlib.metadata import entry_points",
    ],
)
def test_imports_load_nothing(statement):
    assert printed(f"{statement}\n{LOADED}") == ["False"]


@pytest.mark.parametrize(
    "use",
    [
        "import importlib.metadata; print(importlib.metadata.version('numpy') != '')",
        "from importlib.metadata import version; print(version('numpy') != '')",
        "from importlib.metadata import entry_points; print(len(entry_points(group='console_scripts')) > 0)",
        "from importlib import metadata; print(issubclass(metadata.PackageNotFoundError, ImportError))",
        "import importlib.metadata._meta; print(hasattr(importlib.metadata, 'Distribution'))",
    ],
)
def test_uses_load_it(use):
    assert printed(f"{use}\n{LOADED}") == ["True", "True"]


def test_it_is_the_module_itself_afterwards():
    code = "import importlib.metadata as m; m.version; import importlib.metadata as n"
    assert (
        printed(
            f"{code}\nprint(n is not m, n.__file__.endswith('.py'), n is sys.modules['importlib.metadata'])"
        )
        == ["True"] * 3
    )


def test_what_is_loaded_already_stays():
    code = "import json.decoder as before; defer('json.decoder'); import json.decoder as after; print(before is after)"
    assert printed(code) == ["True"]


def test_what_does_not_exist_is_not_there():
    code = "defer('importlib.nowhere'); print('importlib.nowhere' in sys.modules)"
    assert printed(code) == ["False"]
