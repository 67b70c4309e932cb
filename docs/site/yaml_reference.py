"""Reference of descriptions in YAML: a page for each part, made from the JSON Schema."""

from __future__ import annotations

from key_mentions import explained_in, shown_by
from markdown_pieces import SEPARATOR, directive, plain, prose, sentence, table
from page_tree import PageTree
from reading_order import contents
from schema_parts import Key, Schema
from schemas import schemas
from type_words import default_words, type_words

FOLDER = "reference/yaml"
EXPRESSIONS = (
    "Units are SI and radians; an angle may be written `30 deg`. Wherever a number may stand, an expression of "
    "[parameters](/guide/first-arm.md#parameters) may.\n"
)


def yaml_reference(tree: PageTree) -> str:
    """Write the pages; return the name of their overview."""
    pages: list[str] = []
    for schema in schemas().values():
        for page in schema.pages:
            name = f"{FOLDER}/{page}.md"
            tree.write(name, _page(schema, page))
            pages.append(name)
    tree.write(f"{FOLDER}/index.md", _overview() + contents(pages, FOLDER))
    return f"{FOLDER}/index.md"


def _overview() -> str:
    rows = []
    for schema in schemas().values():
        for page, models in schema.pages.items():
            keys = [key.name for model in models for key in schema.keys(model)]
            rows.append((f"[{_title(schema, page)}]({page}.md)", _about(schema, page), f"{len(keys)}"))
    return (
        "# Descriptions in YAML\n\nEvery key of an arm, of a trajectory and of a sweep: what may stand there, unit, "
        "default, meaning, and where the guide explains it. These pages are made from the JSON Schema that "
        f"`flexarm schema` prints.\n\n{EXPRESSIONS}\n" + table(["part", "what it describes", "keys"], rows)
    )


def _title(schema: Schema, page: str) -> str:
    if page == schema.kind:
        return f"{schema.kind.capitalize()}"
    return "Shared parts" if page not in {key.name for key in schema.keys("")} else f"`{page}`"


def _about(schema: Schema, page: str) -> str:
    if page == schema.kind:
        return prose(schema.model("").get("description", ""))
    keys = {key.name: key for key in schema.keys("")}
    return prose(sentence(keys[page].meaning)) if page in keys else "What several parts have."


def _page(schema: Schema, page: str) -> str:
    models = schema.pages[page]
    text = f"# {_title(schema, page)}\n\n{_about(schema, page)}\n\n{EXPRESSIONS}\n"
    for model in models:
        if len(models) > 1 and model:
            text += f"({_anchor(schema, model)})=\n## {schema.title(model).capitalize()}\n\n"
        elif model:
            text += f"({_anchor(schema, model)})=\n\n"
        if model:
            text += prose(schema.model(model).get("description", "")) + "\n\n"
        text += _alternatives(schema, model)
        text += "\n".join(_entry(schema, key, page) for key in schema.keys(model)) + "\n"
    return text


def _alternatives(schema: Schema, model: str) -> str:
    """Sets of keys of which one is needed."""
    needed = [option.get("required") for option in schema.model(model).get("anyOf", [])]
    sets = [" and ".join(f"`{name}`" for name in names) for names in needed if names]
    return f"One of these is needed: {'; '.join(sets)}.\n\n" if len(sets) > 1 else ""


def _entry(schema: Schema, key: Key, page: str) -> str:
    kind = type_words(key.node, lambda model: _link(schema, model))
    default = default_words(key.node.get("default"))
    facts = [kind]
    facts += [f"in {plain(key.unit)}"] if key.unit not in ("", "-") else []
    facts += ["required"] if key.required else [f"default {default}"] if default else []
    lines = [prose(sentence(key.meaning)), SEPARATOR.join(facts)]
    owner = schema.kind, key.model, key.name
    if page == schema.kind and not key.model and key.name in schema.pages:
        lines.append(f"Its keys: [`{key.name}`]({key.name}.md)")
    if sections := explained_in(owner):
        lines.append("Guide: " + "; ".join(f"[{plain(each.title)}]({each.target})" for each in sections))
    if arms := shown_by(owner):
        lines.append("Arms: " + ", ".join(f"[{plain(name)}](/robots/{name}.md)" for name in arms))
    return directive("yamlkey", schema.entry(key), "\n\n".join(line for line in lines if line))


def _link(schema: Schema, model: str) -> str:
    return (
        f"[{schema.title(model)}](#{_anchor(schema, model)})"
        if model in schema.models
        else schema.title(model)
    )


def _anchor(schema: Schema, model: str) -> str:
    return f"{schema.kind}-{model.strip('_').lower()}"
