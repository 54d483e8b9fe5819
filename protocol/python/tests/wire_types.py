"""Writes `noughts/wire.py` from `protocol/schema.json`: `python3 tests/wire_types.py`.

A message is a TypedDict. One of several is named after its tag: the event `moved` is `MovedEvent`.
"""

from __future__ import annotations

import json
import keyword
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
SCHEMA = PACKAGE.parent / "schema.json"
WIRE = PACKAGE / "src" / "noughts" / "wire.py"
TAGS = ("type", "kind", "how", "state", "code")
SUFFIXES = {"ClientMessage": "Intent", "ServerMessage": "Message"}
PLAIN = {"string": "str", "integer": "int", "boolean": "bool", "null": "None"}

HEAD = '''\
"""The messages of the wire. `tests/wire_types.py` writes this file from `protocol/schema.json`.

The README of the protocol says what they mean; what a client makes of them is in `session`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias
'''

Schema = Mapping[str, Any]


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def base_of(schema: Schema) -> str:
    return camel(str(schema.get("$ref", "")).rsplit("/", 1)[-1])


def name_of(variant: Schema, union: str) -> str:
    """The name of one of several, after its tag or its only field."""
    fields = variant["properties"]
    consts = [fields[tag]["const"] for tag in TAGS if "const" in fields.get(tag, {})]
    return camel(consts[0] if consts else next(iter(fields))) + SUFFIXES.get(union, union)


def with_fields(variant: Schema, union: Schema) -> Schema:
    """One of several, with the fields that all of them have."""
    fields = {**variant["properties"], **union.get("properties", {})}
    needed = [*variant.get("required", ()), *union.get("required", ())]
    return {**variant, "properties": fields, "required": needed}


class Module:
    """The classes and the aliases, by name."""

    def __init__(self, defs: Mapping[str, Schema]) -> None:
        self.classes: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        for name, schema in defs.items():
            name = camel(name)
            kind = self.kind(name, schema)
            if kind != name:
                self.aliases[name] = kind

    def kind(self, name: str, schema: Schema) -> str:
        """The type of a value; `name` is that of a class of its own."""
        if "properties" in schema and not schema.keys() & {"oneOf", "anyOf"}:
            return self.define(name, schema)
        if "$ref" in schema:
            return base_of(schema)
        if "const" in schema:
            return f"Literal[{json.dumps(schema['const'])}]"
        for several in ("oneOf", "anyOf"):
            if several in schema:
                return self.union(name, schema)
        kinds = schema["type"]
        if isinstance(kinds, list):
            return " | ".join(self.kind(name, {**schema, "type": one}) for one in kinds)
        if kinds != "array":
            return PLAIN[kinds]
        if "prefixItems" in schema:
            return f"tuple[{', '.join(self.kind(name, item) for item in schema['prefixItems'])}]"
        return f"list[{self.kind(name, schema['items'])}]"

    def union(self, name: str, schema: Schema) -> str:
        literals = []
        kinds = []
        for variant in schema.get("oneOf") or schema["anyOf"]:
            if "const" in variant:
                literals.append(json.dumps(variant["const"]))
            elif "properties" in variant:
                kinds.append(self.kind(name_of(variant, name), with_fields(variant, schema)))
            else:
                kinds.append(self.kind(name, variant))
        return " | ".join([f"Literal[{', '.join(literals)}]"] * bool(literals) + kinds)

    def define(self, name: str, schema: Schema) -> str:
        if name in self.classes:
            raise ValueError(f"{name} is there twice")
        needed = schema.get("required", ())
        fields: dict[str, str] = {}
        for field, of in schema["properties"].items():
            kind = self.kind(name + camel(field), of)
            fields[field] = kind if field in needed else f"NotRequired[{kind}]"
        doc = textwrap.wrap(" ".join(schema.get("description", "").split()), 96)
        if any(map(keyword.iskeyword, fields)):
            # The fields of a class cannot have these names.
            body = "".join(f"    {field!r}: {kind!r},\n" for field, kind in fields.items())
            head = "".join(f"# {line}\n" for line in doc)
            self.classes[name] = f"{head}{name} = TypedDict({name!r}, {{\n{body}}})\n"
        else:
            body = "".join(f"    {field}: {kind}\n" for field, kind in fields.items())
            head = "".join(f"    # {line}\n" for line in doc)
            self.classes[name] = f"class {name}({base_of(schema) or 'TypedDict'}):\n{head}{body}"
        return name

    def text(self) -> str:
        aliases = [f"{name}: TypeAlias = {kind!r}\n" for name, kind in sorted(self.aliases.items())]
        # A class comes after the one that it extends: only plain ones are extended.
        texts = [text for _, text in sorted(self.classes.items())]
        texts.sort(key=lambda text: "TypedDict" not in text)
        return "\n\n".join([HEAD, *texts, "".join(aliases)])


def refusals(codes: Schema) -> str:
    """What each code says, in the words of the protocol."""
    rows = ""
    for code in codes["oneOf"]:
        text = " ".join(code["description"].split()).rstrip(".")
        rows += f"    {json.dumps(code['const'])}: {json.dumps(text[0].lower() + text[1:])},\n"
    return f"# What the codes of refusals say.\nREFUSALS: dict[str, str] = {{\n{rows}}}\n"


def module() -> str:
    defs = json.loads(SCHEMA.read_text())["$defs"]
    return Module(defs).text() + "\n" + refusals(defs["RefusalCode"])


if __name__ == "__main__":
    WIRE.write_text(module())
