"""Pages of Markdown as programs: code blocks run in order, in one folder, and their output compared with the page.

What stands before a block, in comments that a reader does not see:

- ``<!-- exit: 3 -->``: the last command of the block ends with this code, not with 0.
- ``<!-- invalid: REASON -->``: the description is written to its file, but is not one that can be read.
- ``<!-- needs: NAME -->``: the block is left out where this module or program is not installed.
- ``<!-- not run: REASON -->``: the block is left out.

Blocks by language: `console` holds commands after ``$ `` and what they print, `python` a piece of a program that is
common to the page, followed by a `text` block if it prints something. A `yaml` block that begins with a comment
``# NAME.yaml`` is written to that file; one without is a fragment, and replaces keys of the arm written last.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from click.testing import CliRunner

import flexarm
from flexarm.cli.main import main
from flexarm.description.reading.loader import is_sweep, load_sweep

BLOCK = re.compile(r"((?:^<!--[^\n]*-->\n)*)^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (exit|invalid|needs|not run): (.*?) -->")
FILE = re.compile(r"# (\S+\.yaml)\n")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
LANGUAGES = ("console", "python", "text", "yaml")


@dataclass(frozen=True)
class Block:
    """One block of code, the line at which it begins, and the marks before it."""

    language: str
    code: str
    line: int
    marks: dict[str, str]


def blocks_of(page: Path) -> list[Block]:
    """All code blocks of a page."""
    text = page.read_text()
    return [
        Block(match[2], match[3], text.count("\n", 0, match.start(3)), dict(MARK.findall(match[1])))
        for match in BLOCK.finditer(text)
    ]


def left_out(block: Block) -> str:
    """Why a block is not run; empty if it is."""
    module = block.marks.get("needs")
    if module and importlib.util.find_spec(module) is None and shutil.which(module) is None:
        return f"{module} is not installed"
    return block.marks.get("not run", "")


def commands_of(code: str) -> list[tuple[str, str]]:
    """Commands of a console block, each with what it prints; a backslash continues a line."""
    pieces = re.split(r"^\$ ", code.replace("\\\n", " "), flags=re.MULTILINE)
    assert not pieces[0].strip(), "a console block begins with '$ '"
    return [(piece.partition("\n")[0], piece.partition("\n")[2]) for piece in pieces[1:]]


def check_output(printed: str, found: str) -> None:
    """Compare output with what a page prints.

    Blanks and line breaks count alike, ``...`` stands for anything, and a number may differ by one in its last decimal.
    What only the first run on a machine says is left out.
    """
    found = re.sub(r"flexarm: compiling .* once on this machine.*\n", "", found)
    printed, found = " ".join(printed.split()), " ".join(found.split())
    values = _values_in(found, printed)
    assert values is not None, f"printed on the page:\n{printed}\nfound:\n{found}"
    for shown, now in zip(NUMBER.findall(printed), values, strict=True):
        assert abs(float(shown) - float(now)) <= 1.01 * _last_decimal(shown), (
            f"{shown} on the page, found {now}"
        )


def _values_in(found: str, printed: str) -> list[str] | None:
    """Numbers of the found text in the places of those printed, or None if it is another text.

    What stands between two ``...`` is looked for from left to right, where it comes first, the last part at the end:
    a pattern of the whole text would try all places of all of them.
    """
    first, *others = (
        f"({NUMBER.pattern})".join(map(re.escape, NUMBER.split(part)))
        for part in re.split(r" ?\.\.\. ?", printed)
    )
    patterns = [first, *others]
    patterns[-1] += r"\Z"
    values, place = [], 0
    for k, pattern in enumerate(patterns):
        compiled = re.compile(pattern)
        match = compiled.search(found, place) if k else compiled.match(found)
        if match is None:
            return None
        values += match.groups()
        place = match.end()
    return values


def _last_decimal(number: str) -> float:
    """Size of one in the last decimal; 0 for a whole number."""
    mantissa, _, exponent = number.partition("e")
    _, point, decimals = mantissa.partition(".")
    return 10.0 ** (int(exponent or 0) - len(decimals)) if point or exponent else 0.0


@dataclass
class Session:
    """One reader who works through a page in the current folder.

    Attributes
    ----------
    names : dict
        What the page's Python has defined.
    arm : str
        Text of the arm that the page has written last.
    printed : str or None
        Output of the last piece of Python; None if that was left out.
    """

    names: dict = field(default_factory=dict)
    arm: str = ""
    printed: str | None = ""

    def skip(self, block: Block) -> None:
        """Leave a block out, and what would be compared with its output."""
        self.printed = None

    def run(self, block: Block) -> None:
        """Run one block, or check it."""
        getattr(self, f"_{block.language}")(block)

    def _console(self, block: Block) -> None:
        commands = commands_of(block.code)
        codes = [0] * (len(commands) - 1) + [int(block.marks.get("exit", 0))]
        for (line, printed), code in zip(commands, codes, strict=True):
            done = CliRunner().invoke(main, shlex.split(line, comments=True)[1:], prog_name="flexarm")
            assert line.startswith("flexarm "), f"the test runs flexarm only, not {line!r}"
            assert done.exit_code == code, f"{line}\n{done.output}\n{done.exception!r}"
            if printed.strip():
                check_output(printed, done.output)

    def _python(self, block: Block) -> None:
        self.names.setdefault("__name__", "page")
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(block.code, f"line {block.line}", "exec"), self.names)
        self.printed = output.getvalue()

    def _text(self, block: Block) -> None:
        if self.printed is not None:
            check_output(block.code, self.printed)

    def _yaml(self, block: Block) -> None:
        named = FILE.match(block.code)
        if named is None:
            changed = {**yaml.safe_load(self.arm), **yaml.safe_load(block.code)}
            flexarm.parse_arm(yaml.safe_dump(changed))
            return
        path = Path(named[1])
        path.write_text(block.code)
        if "invalid" in block.marks:
            return
        if is_sweep(path):
            load_sweep(path)
        elif {"path", "waypoints", "line", "circle", "table"} & yaml.safe_load(block.code).keys():
            flexarm.load_trajectory(path)
        else:
            flexarm.load_arm(path)
            self.arm = block.code
