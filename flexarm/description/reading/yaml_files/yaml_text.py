"""Strict YAML: text -> plain values with the line of every key.

Numbers follow the core schema of YAML 1.2 (``1e-9`` is a number, ``12:30``, ``yes`` and ``on`` are text).
Anchors, aliases, merge keys and ``repeat`` are written out, up to a bound; duplicate keys and tags are refused.
"""

from __future__ import annotations

import yaml

from flexarm.description.reading.yaml_files.yaml_document import Document
from flexarm.description.reading.yaml_files.yaml_events import MOST_COPIES, TooManyCopies
from flexarm.description.reading.yaml_files.yaml_reader import YamlReader
from flexarm.description.reading.yaml_files.yaml_syntax import syntax_problem
from flexarm.errors import InputProblem, SpecError


def read_yaml(text: str, source: str) -> Document:
    """Parse one YAML document whose root is a mapping.

    Raises
    ------
    SpecError
        With file and line: syntax errors, what is refused, an empty file, several documents.
    """
    reader = YamlReader(Document(text), source)
    try:
        reader.read()
    except yaml.YAMLError as error:
        raise SpecError([syntax_problem(error, text, source), *reader.problems]) from None
    except TooManyCopies:
        message = f"aliases, merge keys and repetitions stand for more than {MOST_COPIES} values"
        raise SpecError([InputProblem(source, reader.line, "", message)]) from None
    except UnicodeEncodeError:
        raise SpecError(
            [InputProblem(source, None, "", "not text: it has half characters (surrogates)")]
        ) from None
    if reader.problems:
        raise SpecError(reader.problems)
    return reader.document
