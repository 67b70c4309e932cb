"""A small JSON Schema validator, for the keywords that the arm's schema uses; refuses to overlook others."""

import re

ANNOTATIONS = {"$schema", "$defs", "description", "default", "examples", "discriminator"}
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "number": int | float,
    "integer": int,
    "null": type(None),
}


def is_valid(value, schema, root):
    """Whether `value` satisfies `schema`, whose references point into `root`."""
    return all(
        _holds(keyword, argument, value, schema, root)
        for keyword, argument in schema.items()
        if keyword not in ANNOTATIONS
    )


def _holds(keyword, argument, value, schema, root):
    match keyword:
        case "$ref":
            return is_valid(value, root["$defs"][argument.removeprefix("#/$defs/")], root)
        case "anyOf":
            return any(is_valid(value, option, root) for option in argument)
        case "oneOf":
            return sum(is_valid(value, option, root) for option in argument) == 1
        case "type":
            return isinstance(value, TYPES[argument]) and (
                argument == "boolean" or not isinstance(value, bool)
            )
        case "const":
            return value == argument
        case "enum":
            return value in argument
    if isinstance(value, dict):
        return _holds_for_object(keyword, argument, value, schema, root)
    if isinstance(value, list):
        return _holds_for_array(keyword, argument, value, root)
    return _holds_for_scalar(keyword, argument, value)


def _holds_for_object(keyword, argument, value, schema, root):
    match keyword:
        case "maxProperties":
            return len(value) <= argument
        case "required":
            return all(name in value for name in argument)
        case "properties":
            return all(
                is_valid(value[name], entry, root) for name, entry in argument.items() if name in value
            )
        case "additionalProperties":
            others = value.keys() - schema.get("properties", {}).keys()
            return (
                not others if argument is False else all(is_valid(value[k], argument, root) for k in others)
            )
    return _is_about_others(keyword)


def _holds_for_array(keyword, argument, value, root):
    match keyword:
        case "items":
            return all(is_valid(item, argument, root) for item in value)
        case "minItems":
            return len(value) >= argument
        case "maxItems":
            return len(value) <= argument
    return _is_about_others(keyword)


def _holds_for_scalar(keyword, argument, value):
    number = isinstance(value, int | float)
    match keyword:
        case "minimum":
            return not number or value >= argument
        case "exclusiveMinimum":
            return not number or value > argument
        case "maximum":
            return not number or value <= argument
        case "exclusiveMaximum":
            return not number or value < argument
        case "pattern":
            return not isinstance(value, str) or re.search(argument, value) is not None
        case "maxLength":
            return not isinstance(value, str) or len(value) <= argument
    return _is_about_others(keyword)


def _is_about_others(keyword):
    known = {
        "required",
        "properties",
        "maxProperties",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "pattern",
    }
    known |= {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "maxLength"}
    assert keyword in known, f"the checker does not know {keyword!r}"
    return True
