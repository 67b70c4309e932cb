"""`flexarm schema`."""

import json


def test_schema_describes_every_key(flexarm):
    schema = json.loads(flexarm("schema", "-q").stdout)
    assert {"name", "links", "joints", "run"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False
    assert all("description" in entry for entry in schema["properties"].values())
