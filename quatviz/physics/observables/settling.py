"""Rule by which a motion counts as settled near a target."""

import numpy as np


def last_rows_outside(distances: np.ndarray, limits: np.ndarray) -> np.ndarray:
    """Return the last row (b,) of each column in which the distance exceeds the limit, or -1 if no row does.

    A column settles in the interval after this row. It does not settle if this is its last row.

    Parameters
    ----------
    distances
        Distances (n, b) from the target at successive times.
    limits
        Limits (b,) of the distance, in the same unit.

    Examples
    --------
    >>> distances = np.array([[9.0, 1.0, 9.0], [1.0, 1.0, 1.0], [9.0, 1.0, 9.0], [1.0, 1.0, 9.0]])
    >>> last_rows_outside(distances, np.array([2.0, 2.0, 2.0]))
    array([ 2, -1,  3])
    """
    outside = distances > limits
    rows: np.ndarray = len(distances) - 1 - outside[::-1].argmax(axis=0)
    return np.where(outside.any(axis=0), rows, -1)
