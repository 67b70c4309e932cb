"""`flexarm schema`."""

import json


def test_schema_describes_every_key(flexarm):
    schema = json.loads(flexarm("schema", "-q").stdout)
    assert {"name", "links", "joints", "run"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False
    assert all("description" in entry for entry in schema["properties"].values())


def test_schema_of_trajectories(flexarm):
    schema = json.loads(flexarm("schema", "--trajectory", "-q").stdout)
    assert {"space", "path", "waypoints", "line", "circle", "table"} <= set(schema["properties"])
    assert all("description" in entry for entry in schema["properties"].values())
    points = schema["$defs"]["Waypoints"]
    assert (set(points["properties"]), points["required"]) == ({"times", "ends"}, ["times"])
    assert points["additionalProperties"]["type"] == "array"
