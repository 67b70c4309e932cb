"""`flexarm schema`: the JSON Schema of input files, for editors that complete and check YAML."""

from __future__ import annotations

import json
from typing import Any

import click

from flexarm.cli.options import console_options

EPILOG = """\b
Example:
  flexarm schema > arm.schema.json

An editor with a YAML language server completes and checks a file that begins with
"# yaml-language-server: $schema=arm.schema.json".
"""


@click.command(epilog=EPILOG)
@click.option("--trajectory", is_flag=True, help="That of trajectories instead.")
@console_options
def schema(trajectory: bool, console: Any) -> None:
    """Print the JSON Schema of arm descriptions."""
    from flexarm.description.reading.json_schema import arm_json_schema, trajectory_json_schema

    click.echo(json.dumps(trajectory_json_schema() if trajectory else arm_json_schema(), indent=2))
