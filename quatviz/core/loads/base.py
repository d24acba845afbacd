"""The load protocol: what one kind of load is. Frozen; change it only in a commit of its own that says why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from quatviz.core.by_value import ByValue
from quatviz.core.rotations import rotate_back

ROW = 11
"""Numbers that one load may pack for the kernels, its kind not counted."""


class Load(ByValue, ABC):
    """One load on the body. The contract, from which a load can be written:

    1. One module in `quatviz/core/loads/`, or in an outside package behind an entry point of the group
       `quatviz.loads`, defines one concrete subclass, a frozen dataclass with `eq=False`. `name` is the module's name and the
       `kind` of a preset's `[[loads]]`.
    2. Its fields are made with `core.parameters.parameter`, so that unit, shape, limits and explanation are
       declared once, for checking and for widgets. `__post_init__` calls `core.parameters.check`.
    3. `row` packs what kernels need into at most `ROW` floats. A load is data: a changed number never recompiles.
    4. `torque_kernel(row, t, p, omega)`, decorated with `core.kernel.inline`, returns the body torque about the body's
       reference point [N m, body components] for `row` (ROW floats), `t` [s], `p` (4, scalar first, not
       necessarily unit: `A` means `G L^T`) and `omega` [rad/s, body].
    5. A load with a potential sets `gradient_kernel(row, t, p)`, which returns dV/dp (4) [J], and overrides
       `potential`, both with `A = G L^T` off the sphere, so that they are homogeneous in p. On the sphere
       `-1/2 L dV/dp` equals the torque; tests check it for every load.
    6. A force at a body point sets `application_kernel(row, t, p)`, which returns the force (3) [N, space] and the
       point (3) [m, body]: the Lagrangian load forms `split` and `gradient` are built from it. It overrides `applied`, the
       same for arrays in NumPy, which the theory of lambda reads: written twice, so that each checks the other.
    7. What a person is shown of a load is `acting`, its force at a body point, and `moment`, its torque. A force that
       enters the Lagrangian forms by its potential, such as a spring's, overrides `acting`; a pure torque overrides
       `moment`, or it is called row by row through its kernel.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    torque_kernel: ClassVar[Callable[..., Any]]
    gradient_kernel: ClassVar[Callable[..., Any] | None] = None
    application_kernel: ClassVar[Callable[..., Any] | None] = None

    @abstractmethod
    def row(self) -> tuple[float, ...]:
        """The numbers that this load's kernels read."""

    def applied(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Force (n, 3) [N, space] and its point (3,) [m, body] at Euler parameters (n, 4); None for a pure torque."""
        return None

    def acting(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Force (n, 3) [N, space] and its point (3,) [m, body] at times (n,) and unit p (n, 4), whatever the Lagrangian
        forms take the load for; None for a pure torque."""
        return self.applied(p)

    def moment(self, t: np.ndarray, p: np.ndarray, omega: np.ndarray) -> np.ndarray:
        """Body torque (n, 3) [N m] about the reference point at unit p (n, 4) and omega (n, 3) [rad/s, body]."""
        acting = self.acting(t, p)
        if acting is not None:
            force, point = acting
            return np.cross(point, rotate_back(p, force))
        packed = self.row()
        row = (*packed, *(0.0,) * (ROW - len(packed)))
        rows = zip(t.tolist(), map(tuple, p.tolist()), map(tuple, omega.tolist()), strict=True)
        torques = [type(self).torque_kernel(row, *arguments) for arguments in rows]
        return np.array(torques, dtype=np.float64).reshape(-1, 3)

    def potential(self, p: np.ndarray) -> np.ndarray:
        """V (n,) [J] at Euler parameters (n, 4); zero for a load without potential."""
        return np.zeros(p.shape[:-1])
