"""`flexarm examples`: the arms and trajectories that come with flexarm, to read and to copy."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import click

from flexarm.cli.options import console_options, overwrite_option
from flexarm.cli.terminal.console import Console
from flexarm.hints import did_you_mean

EPILOG = """\b
Example:
  flexarm examples
  flexarm examples usoro_two_link
  flexarm examples korayem_1994_clamped payload_two_link -o outputs/examples

A trajectory that the comment of an arm names, and matrices of a link, are copied with it, in folders of that name.
"""
NAMED = re.compile(r"robots/trajectories/(\w+)\.yaml")
MATRICES = re.compile(r"^ *matrices: (matrices/\w+\.json)", re.MULTILINE)


@click.command(epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path(), metavar="DIR",
    help="Folder to copy to [default: the current one].",
)  # fmt: skip
@overwrite_option
@console_options
def examples(names: tuple[str, ...], output: Path, overwrite: bool, console: Console) -> None:
    """List the arms that come with flexarm, or copy some of them.

    Without NAME, list them and the trajectories. A file that exists and differs is replaced only with
    --overwrite.
    """
    if not names:
        _list(console)
        return
    from flexarm.results.storage.atomic_files import write_files

    files = {output / place: text for name in names for place, text in _files_of(name).items()}
    missing = {path: text for path, text in files.items() if not _is_there(path, text)}
    write_files(missing, overwrite)
    for path in files:
        console.write(f"{path}" if path in missing else f"{path}  (is there already)")


def _files_of(name: str) -> dict[Path, str]:
    """Text of an arm, of the trajectories that its comment names and of its matrices, or of a trajectory, by place."""
    from flexarm.shipped import shipped_arms, shipped_trajectories

    arms, trajectories = shipped_arms(), shipped_trajectories()
    key = name.removesuffix(".yaml").replace("-", "_")
    if key not in arms and key not in trajectories:
        hint = did_you_mean(key, [*arms, *trajectories], "flexarm examples lists them")
        raise click.UsageError(f"no example '{name}'; {hint}", click.get_current_context())
    if key not in arms:
        return {_place(key): _own(trajectories[key])}
    text = arms[key].read_text(encoding="utf-8")
    named = dict.fromkeys(NAMED.findall(text))
    matrices = {
        Path(each): (arms[key].parent / each).read_text(encoding="utf-8") for each in MATRICES.findall(text)
    }
    return {
        Path(f"{key}.yaml"): _own(arms[key]),
        **{_place(each): _own(trajectories[each]) for each in named},
        **matrices,
    }


def _place(trajectory: str) -> Path:
    return Path("trajectories") / f"{trajectory}.yaml"


def _own(path: Path) -> str:
    """The text of a file, its commands such that they work in the folder of the copy."""
    return path.read_text(encoding="utf-8").replace("robots/", "")


def _is_there(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


def _list(console: Console) -> None:
    from flexarm.shipped import shipped_arms, shipped_trajectories, summary

    formatter = click.HelpFormatter(width=min(shutil.get_terminal_size().columns, 120))
    for title, files in (("Arms", shipped_arms()), ("Trajectories", shipped_trajectories())):
        with formatter.section(title):
            formatter.write_dl([(name, summary(path)) for name, path in files.items()], col_max=40)
    console.write(formatter.getvalue().rstrip())
