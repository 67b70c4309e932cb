"""Reference of the commands: a page for each, made from what `--help` says."""

from __future__ import annotations

import inspect
import re
import shlex

import click
from guide_sections import guide_sections
from markdown_pieces import code, directive, plain, prose, table
from page_tree import PageTree
from reading_order import contents

from flexarm.cli.main import COMMANDS, main

FOLDER = "reference/commands"
MOST = 6
"""Sections of the guide that are listed for a command."""


def command_reference(tree: PageTree) -> str:
    """Write the pages; return the name of their overview."""
    pages = []
    context = click.Context(main, info_name="flexarm")
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        tree.write(f"{FOLDER}/{name}.md", _page(name, command, context))
        pages.append(f"{FOLDER}/{name}.md")
    rows = [(f"[`{name}`]({name}.md)", plain(about)) for name, about in COMMANDS.items()]
    usage = "# Commands\n\n`flexarm COMMAND --help` says what these pages say, which are made from it.\n\n"
    text = (
        usage
        + table(["command", "what it does"], rows)
        + "\n"
        + _options("flexarm", main, context)
        + _epilog(main)
    )
    tree.write(f"{FOLDER}/index.md", text + contents(pages, FOLDER))
    return f"{FOLDER}/index.md"


def _page(name: str, command: click.Command, parent: click.Context) -> str:
    context = click.Context(command, info_name=name, parent=parent)
    usage = " ".join(["flexarm", name, *command.collect_usage_pieces(context)])
    text = (
        f"# `flexarm {name}`\n\n{_paragraphs(inspect.cleandoc(command.help or ''))}\n{code('text', usage)}\n"
    )
    return text + _options(f"flexarm {name}", command, context) + _epilog(command) + _mentions(name)


def _options(program: str, command: click.Command, context: click.Context) -> str:
    """Entries of arguments and options."""
    records = [_record(parameter, context) for parameter in command.get_params(context)]
    entries = [
        directive("option", options.replace(" / ", ", "), prose(about))
        for options, about in filter(None, records)
    ]
    return "\n".join([directive("program", program), *entries])


def _record(parameter: click.Parameter, context: click.Context) -> tuple[str, str] | None:
    """Names and text of a parameter, none if it is hidden; of arguments older versions of click do not know them."""
    if isinstance(parameter, click.Argument):
        return parameter.make_metavar(context), ""
    return parameter.get_help_record(context)


def _epilog(command: click.Command) -> str:
    """The examples and remarks behind the options."""
    return "\n" + _paragraphs(inspect.cleandoc(command.epilog or ""))


def _paragraphs(text: str) -> str:
    """Paragraphs of a help text; what click leaves as it is becomes a block of code, but for a single line."""
    pieces = []
    for paragraph in re.split(r"\n\s*\n", text):
        if not paragraph.startswith("\b") or "\n" not in paragraph.strip("\b\n"):
            pieces.append(prose(" ".join(paragraph.lstrip("\b").split())) + "\n")
            continue
        title, _, rest = paragraph.lstrip("\b\n").partition("\n")
        if title.endswith(":") and rest:
            pieces += [
                f"{plain(title)}\n",
                code("sh" if "flexarm " in rest else "text", inspect.cleandoc(rest)),
            ]
        else:
            pieces.append(code("text", paragraph.lstrip("\b\n")))
    return "\n".join(pieces)


def _mentions(name: str) -> str:
    """Sections of the guide that run the command."""
    found = [
        f"[{plain(section.title)}]({section.target})"
        for section in guide_sections()
        if any(_calls(block, name) for language, block in section.blocks if language == "console")
    ]
    return "\nIn the guide: " + "; ".join(found[:MOST]) + "\n" if found else ""


def _calls(block: str, name: str) -> bool:
    return re.search(rf"^\$ flexarm {shlex.quote(name)}\b", block, re.MULTILINE) is not None
