"""The group of commands: help, what is imported when, and how failures are reported."""

import json
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec

import pytest
from click import Context
from click.testing import CliRunner

from flexarm.cli import schema as schema_module
from flexarm.cli.main import COMMANDS, main
from flexarm.errors import SolverError

HEAVY = {"numpy", "scipy", "casadi", "numba", "llvmlite", "matplotlib", "pydantic", "h5py", "yaml"}

EVERY_HELP = """
import contextlib, io, json, sys
from flexarm.cli.main import COMMANDS, main
helps, known = {}, set()
for arguments in [["--help"], [], *([name, "--help"] for name in COMMANDS)]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as end:
            code = end.code
    loaded = sorted(set(sys.modules) - known)
    known.update(loaded)
    helps[" ".join(arguments)] = (code, out.getvalue(), err.getvalue(), loaded)
print(json.dumps(helps))
"""
"""What each help prints and loads, one after the other in a single process."""


@pytest.fixture(scope="module")
def helps():
    """Exit code, output, error output and newly loaded modules of each help, by its arguments."""
    done = subprocess.run([sys.executable, "-c", EVERY_HELP], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("arguments", ["--help", "", *(f"{name} --help" for name in COMMANDS)])
def test_help_imports_nothing_heavy(helps, arguments):
    code, output, errors, loaded = helps[arguments]
    assert (code, errors) == (0, "")
    assert output.startswith("Usage: ")
    assert HEAVY.intersection(loaded) == set()


def test_help_of_the_group_imports_no_command(helps):
    _, output, _, loaded = helps["--help"]
    assert all(name in output and text[:40] in output for name, text in COMMANDS.items())
    assert {f"flexarm.cli.{name}" for name in COMMANDS}.intersection(loaded) == set()
    assert "flexarm.cli.main" in loaded


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_begins_like_the_list(name):
    command = main.get_command(Context(main), name)
    assert command.help.startswith(COMMANDS[name].removesuffix("."))


def examples(names):
    """Every `flexarm` line of the help texts, in the order of the commands."""
    for name in names:
        text = CliRunner().invoke(main, [*name.split(), "--help"]).stdout
        lines = re.findall(r"^ +(flexarm .+)$", text.partition("Example:")[2], re.MULTILINE)
        assert lines, f"no example in the help of flexarm {name}"
        yield from lines


def test_every_help_has_examples_of_its_command():
    for name in COMMANDS:
        assert all(shlex.split(line)[1] == name for line in examples([name]))


@pytest.mark.parametrize(
    "names",
    [("", "new", "export"), pytest.param(("", *COMMANDS), marks=pytest.mark.slow)],
    ids=["some", "all"],
)
def test_examples_of_the_help_run(flexarm, robots_beside, names):
    for line in examples(names):
        arguments = shlex.split(line.partition(">")[0])[1:]
        if arguments[0] == "import" and find_spec("yourdfpy") is None:
            continue
        if arguments[0] == "simulate":
            arguments.append("--overwrite")  # the examples of two help texts write the same file
        done = flexarm(*arguments)
        assert done.exit_code == 0, f"{line}: {done.stderr}"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["simulat", "small.yaml"], "no command 'simulat'; did you mean 'simulate'? (see: flexarm --help)"),
        (["fly"], f"no command 'fly'; commands are {', '.join(COMMANDS)} (see: flexarm --help)"),
        (["check"], "Missing argument 'ARM'. (see: flexarm check --help)"),
        (["check", "-v", "-q", "small.yaml"], "-v and -q exclude each other (see: flexarm check --help)"),
        (["simulate", "small.yaml", "--overwrit"], "No such option"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(flexarm, arguments, complaint):
    done = flexarm(*arguments)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("flexarm: error: ")
    assert complaint in done.stderr


@pytest.mark.parametrize(
    ("failure", "code", "text"),
    [
        (KeyError("theta"), 3, "internal error, please report it"),
        (MemoryError(), 4, "out of memory"),
        (OSError(28, "No space left on device", "x.h5"), 4, "x.h5: No space left on device"),
        (KeyboardInterrupt(), 3, "interrupted"),
    ],
)
def test_unforeseen_failures_are_one_line_too(flexarm, monkeypatch, failure, code, text):
    def fail(*_, **__):
        raise failure

    monkeypatch.delenv("FLEXARM_DEBUG")
    monkeypatch.setattr(schema_module.schema, "callback", fail)
    done = flexarm("schema")
    assert done.exit_code == code
    assert done.stderr.strip().startswith(f"flexarm: error: {text}")
    assert done.stderr.strip().count("\n") == 0


def test_a_hint_names_the_option_instead_of_the_parameter(flexarm, monkeypatch):
    def fail(*_, **__):
        raise SolverError("no convergence of `mu`", hint="a smaller `step`, or `drop_second_order`")

    monkeypatch.setattr(schema_module.schema, "callback", fail)
    done = flexarm("schema")
    assert done.exit_code == SolverError.exit_code
    assert done.stderr == (
        "flexarm: error: no convergence of `mu` (a smaller --step, or --drop-second-order)\n"
    )


def test_debugging_shows_the_traceback(flexarm, monkeypatch):
    monkeypatch.setattr(schema_module.schema, "callback", lambda *_, **__: {}["theta"])
    with pytest.raises(KeyError):
        flexarm("schema")


def test_a_reader_that_leaves_early_is_no_error():
    program = "from flexarm.cli.main import main; main()"
    command = f"{shlex.quote(sys.executable)} -c '{program}' schema | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("{\n", "")


def test_version(flexarm):
    assert re.fullmatch(r"flexarm \d+\.\d+\.\d+\S*\n", flexarm("--version").stdout)
    known = flexarm("--version", "-v").stdout
    for pattern in (
        r"^flexarm \d",
        r"^Python +3\.",
        r"^processor +\w.* lanes, \d+ cores$",
        r"^numpy +\d",
        r"^yourdfpy +\w",
    ):
        assert re.search(pattern, known, re.MULTILINE)
    misplaced = flexarm("-v", "check", "arm.yaml")
    assert misplaced.exit_code == 2
    assert "-v stands behind a command" in misplaced.stderr
