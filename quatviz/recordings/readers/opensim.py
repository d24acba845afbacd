"""Storage and motion files of OpenSim: orientations of sensors (OpenSense), or coordinates of a model."""

import re
from pathlib import Path

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.recordings.columns import FileColumns
from quatviz.recordings.readers.base import Reader
from quatviz.recordings.text_format import TextFormat
from quatviz.recordings.text_table import parse_columns

_TOPIC = "recordings#files"
_LETTERS = "wxyz"


class OpenSim(Reader):
    """Reader of a table of sensor quaternions: one column per sensor, with four comma-separated numbers in each cell.

    The quaternions are scalar first, from the sensor to the ground. Each sensor is a part. The coordinates of a
    model become columns without a role, since only the model states about which axes they rotate; the file states
    their unit.
    """

    name = "opensim"
    title = "a storage file of OpenSim"
    suffixes = (".sto", ".mot")
    magic = b"DataRate="

    def read(self, path: Path, part: str | None) -> FileColumns:
        data = re.sub(rb"\r\n?", b"\n", path.read_bytes())
        head, end, body = data.partition(b"endheader\n")
        category = re.search(rb"(?m)^DataType=(\w+)", head)
        if not end or (category is not None and category[1] not in (b"Quaternion", b"double")):
            found = category[1].decode() if end and category is not None else phrase("no endheader")
            raise _refusal(
                str(path), phrase("a line with endheader, and DataType=Quaternion or DataType=double"), found
            )
        if category is None or category[1] == b"double":
            return self._coordinates(head, body, str(path))
        names, _, rows = body.partition(b"\n")
        labels = names.decode("utf-8", "replace").strip("\n").split("\t")
        sensors = tuple(labels[1:])
        if len(sensors) < 1 or labels[0].strip() != "time" or not rows.strip():
            raise _refusal(str(path), "a column of times and columns of quaternions", repr(labels[0]))
        if part is not None and part not in sensors:
            raise InputError(
                str(path), expected=phrase("one of the sensors {names}", names=", ".join(sensors[:20])), found=repr(part),
                remedy="choose one of these", key="part", topic=_TOPIC,
            )  # fmt: skip
        columns = ("time", *(f"{sensor} q_{character}" for sensor in sensors for character in _LETTERS))
        parsed = parse_columns(rows.replace(b",", b"\t"), TextFormat("utf-8", "\t", 0, columns), str(path))
        sensor = part or sensors[0]
        chosen = ("time", *(f"{sensor} q_{character}" for character in _LETTERS))
        declared = {
            "time": "time", "time_unit": "s", "attitude": "quaternion", "attitude_columns": chosen[1:], "order": "scalar_first",
            "direction": "body_to_space", "product": "hamilton",
        }  # fmt: skip
        table = {name: np.asarray(parsed.columns[name], dtype=float) for name in chosen}
        return FileColumns(
            table, declared, sensor, sensors if len(sensors) > 1 else (), self.title, parsed.remarks
        )

    def _coordinates(self, head: bytes, body: bytes, source: str) -> FileColumns:
        """Return the columns with coordinates of a model, and the unit of its angles."""
        names, _, rows = body.lstrip().partition(b"\n")
        labels = tuple(names.decode("utf-8", "replace").split())
        if len(labels) < 2 or labels[0] != "time" or not rows.strip():
            raise _refusal(source, phrase("a column of times and columns of coordinates"), repr(names[:60]))
        parsed = parse_columns(rows, TextFormat("utf-8", " ", 0, labels), source)
        declared = {"time": "time", "time_unit": "s"}
        unit = re.search(rb"(?i)^inDegrees *= *(yes|no)|^Angles are in (degrees|radians)", head, re.MULTILINE)
        if unit is not None:
            declared["angle_unit"] = "deg" if (unit[1] or unit[2]).lower() in (b"yes", b"degrees") else "rad"
        return FileColumns(parsed.columns, declared, title=self.title, remarks=parsed.remarks)


def _refusal(source: str, expected: str, actual: str) -> InputError:
    return InputError(
        source, expected=expected, found=actual, remedy="write orientations as OpenSense does", topic=_TOPIC
    )
