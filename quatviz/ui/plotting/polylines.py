"""Painter paths of many lines at once, as Qt reads them from a stream: point by point would take ten times as long."""

from __future__ import annotations

import struct

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QByteArray, QDataStream
from PySide6.QtGui import QPainterPath

_ELEMENT = np.dtype([("joined", ">i4"), ("x", ">f8"), ("y", ">f8")])
_TAIL = struct.pack(">ii", 0, 0)
"""Where the last subpath begins, and the rule by which it would be filled."""


def polylines(x: np.ndarray, y: np.ndarray, drawn: np.ndarray) -> list[QPainterPath]:
    """A path for each row of `y` (lines, n) over `x` (n,), through the points that are `drawn` (lines, n) and finite; where
    one is not, the line breaks off."""
    drawn = drawn & np.isfinite(y) & np.isfinite(x)
    counts = drawn.sum(axis=1)
    points = np.flatnonzero(drawn & (counts < len(x))[:, None])
    columns = points % len(x)
    elements = np.empty(len(points), _ELEMENT)
    elements["joined"][:1] = 0
    elements["joined"][1:] = (np.diff(points) == 1) & (columns[1:] != 0)
    elements["x"], elements["y"] = x[columns], y.ravel()[points]
    stream, paths, at = elements.tobytes(), [], 0
    for row, count in enumerate(counts.tolist()):
        path = QPainterPath()
        if count == len(x) > 0:
            path = pg.arrayToQPath(x, y[row], connect="all", finiteCheck=False)
        elif count:
            stop = at + count * _ELEMENT.itemsize
            QDataStream(QByteArray(struct.pack(">i", count) + stream[at:stop] + _TAIL)) >> path
            at = stop
        paths.append(path)
    return paths
