"""Failures: what they say to a script, and that they come whole out of another process."""

import ast
import pickle
import re
from pathlib import Path

import click
import pytest
from paths import PROJECT

from flexarm.cli.main import COMMANDS, main
from flexarm.errors import FlexarmError, InputProblem, ModelError, ResultError, SolverError, SpecError

EVERY = [
    FlexarmError("it failed"),
    ModelError("no mass", hint="give a payload"),
    SolverError("no convergence", hint="a smaller `step`"),
    ResultError("exists", hint="pass `overwrite`"),
    SpecError(
        [
            InputProblem("arm.yaml", 3, "links", "none", "give one"),
            InputProblem("arm.yaml", None, "", "empty"),
        ]
    ),
]


def test_hint_follows_the_message():
    assert str(SolverError("no convergence", hint="a smaller `step`")) == "no convergence (a smaller `step`)"
    assert str(SolverError("no convergence")) == "no convergence"


@pytest.mark.parametrize("failure", EVERY, ids=lambda failure: type(failure).__name__)
def test_pickled_failures_are_whole(failure):
    """Worker processes hand them back."""
    back = pickle.loads(pickle.dumps(failure))
    assert (type(back), str(back), vars(back)) == (type(failure), str(failure), vars(failure))


COMMAND_LINE = ("cli", "description/reading/starter.py")
"""What may name options: the commands, and the starter arm, whose comments show commands."""


def texts(path: Path) -> list[str]:
    """String constants of a source file but for its docstrings."""
    tree = ast.parse(path.read_text())
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (
        node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documentation
    )
    return [node.value for node in constants if isinstance(node.value, str)]


def test_library_messages_name_no_option_of_the_command_line():
    commands = [main.get_command(click.Context(main), name) for name in COMMANDS]
    options = {
        option
        for command in commands
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
        if option.startswith("--")
    }
    named = re.compile(rf"(?:{'|'.join(map(re.escape, options))})\b")
    package = PROJECT / "flexarm"
    found = {
        str(path.relative_to(package)): text
        for path in sorted(package.rglob("*.py"))
        if not str(path.relative_to(package)).startswith(COMMAND_LINE)
        for text in texts(path)
        if named.search(text)
    }
    assert found == {}
