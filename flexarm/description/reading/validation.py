"""Validation of documents against their models, with every problem at its line."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError

from flexarm.description.reading.messages import problems
from flexarm.description.reading.yaml_files.yaml_document import Document
from flexarm.description.values.input_model import InputModel
from flexarm.errors import SpecError

Described = TypeVar("Described", bound=InputModel)


def validated_model(
    model: type[Described], document: Document, source: str, context: dict[str, Any] | None = None
) -> Described:
    """Validate a document; SpecError with all its problems."""
    try:
        return model.model_validate(document.data, context=context)
    except ValidationError as error:
        raise SpecError(problems(error, document, source, model)) from None
