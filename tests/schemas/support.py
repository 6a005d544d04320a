"""The command and the schemas, for the tests beside this file."""

import functools
import json
import os
import pathlib
import subprocess
import warnings

import jsonschema

ROOT = pathlib.Path(__file__).parents[2]
COMMAND = os.environ.get("LINCHPIN", "linchpin")


def run(*arguments, text="", codes=(0, 1, 3), folder=ROOT):
    """What the command prints; it ends with one of the codes."""
    done = subprocess.run([COMMAND, *map(str, arguments)], input=text, capture_output=True, text=True, cwd=folder,
                          check=False, encoding="utf-8")
    assert done.returncode in codes, f"{arguments}: {done.returncode}: {done.stderr}"
    return done.stdout


def lines_of(text):
    return [json.loads(line, parse_constant=refused) for line in text.splitlines() if line.strip()]


def refused(constant):
    raise ValueError(f"{constant} is no JSON")


@functools.lru_cache(maxsize=None)
def schema_of(name):
    return json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def validator(name):
    every = {schema["$id"]: schema for schema in map(schema_of, names())}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Debian's version has nothing newer
        resolver = jsonschema.RefResolver(schema_of(name)["$id"], schema_of(name), store=every)
        return jsonschema.Draft202012Validator(schema_of(name), resolver=resolver)


def names():
    return sorted(path.name.removesuffix(".schema.json") for path in (ROOT / "docs" / "schemas").glob("*.schema.json"))


def complaint(name, instance):
    """What is wrong with it; None: nothing."""
    error = next(validator(name).iter_errors(instance), None)
    if error is None:
        return None
    place = "/".join(map(str, error.absolute_path))
    return f"{place}: {error.message[:300]}"


def parts_of(name, schema):
    """(file, schema) of all that is said about a value at one place: the schema, and what it refers to or chooses from."""
    if not isinstance(schema, dict):
        return
    yield name, schema
    if "$ref" in schema:
        file, _, pointer = schema["$ref"].partition("#")
        other = file.removesuffix(".schema.json") or name
        target = schema_of(other)
        for key in pointer.strip("/").split("/"):
            target = target[key]
        yield from parts_of(other, target)
    for key in ("anyOf", "allOf"):
        for each in schema.get(key, []):
            yield from parts_of(name, each)
    for key in ("then", "else"):
        yield from parts_of(name, schema.get(key))


def unnamed(name, instance, schemas=None):
    """The places of properties that the schema does not name: published ones let later versions add some."""
    parts = [part for each in schemas or [(name, schema_of(name))] for part in parts_of(*each)]
    if isinstance(instance, list):
        items = [(file, part["items"]) for file, part in parts if isinstance(part.get("items"), dict)]
        return [f"[]{place}" for each in instance for place in (unnamed(name, each, items) if items else [])]
    if not isinstance(instance, dict):
        return []
    found = []
    for key, value in instance.items():
        said = [(file, part["properties"][key]) for file, part in parts if key in part.get("properties", {})]
        if not said:  # names that are the user's have a schema in common
            said = [(file, part["additionalProperties"]) for file, part in parts
                    if isinstance(part.get("additionalProperties"), dict)]
        found += [f"/{key}{place}" for place in unnamed(name, value, said)] if said else [f"/{key}"]
    return found
