from __future__ import annotations

import json
from dataclasses import fields

import pytest

from groundedgen.values import Answer
from scripts import write_schemas

SCHEMAS = write_schemas.schemas()


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_in_the_folder_is_the_one_of_the_code(name):
    """`python -m scripts.write_schemas` after a change of a value."""
    path = write_schemas.FOLDER / name
    assert write_schemas.written(SCHEMAS[name]) == path.read_text(encoding="utf-8")


def test_the_folder_holds_nothing_else():
    assert set(SCHEMAS) == {path.name for path in write_schemas.FOLDER.iterdir()}


def test_the_answer_schema_names_every_field():
    assert {field.name for field in fields(Answer)} == set(SCHEMAS["answer.json"]["properties"])


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_object_is_closed_but_foreign_ones(name):
    def walk(node):
        if isinstance(node, list):
            for item in node:
                walk(item)
        if isinstance(node, dict):
            if "properties" in node and node.get("type") == "object":
                assert node["additionalProperties"] is False
            for item in node.values():
                walk(item)

    walk(SCHEMAS[name])


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_valid_schemas(name):
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name])


def test_a_written_answer_fits_the_schema():
    jsonschema = pytest.importorskip("jsonschema")
    from tests.test_values import ANSWER  # only with jsonschema

    jsonschema.validate(json.loads(ANSWER.model_dump_json()), SCHEMAS["answer.json"])
