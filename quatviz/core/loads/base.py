"""The load protocol: what one kind of load is. Frozen; change it only in a commit of its own that says why."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from quatviz.core.body import Body
from quatviz.core.by_value import ByValue
from quatviz.core.rotations import rotate_back

ROW = 16
"""Numbers that one load may pack for the kernels, its kind not counted."""


class Load(ByValue, ABC):
    """One load on the body. The contract, from which a load can be written:

    1. One module in `quatviz/core/loads/`, or in an outside package behind an entry point of the group
       `quatviz.loads`, defines one concrete subclass, a frozen dataclass with `eq=False`. `name` is the module's name and the
       `kind` of a preset's `[[loads]]`.
    2. Its fields are made with `core.parameters.parameter`, so that unit, shape, limits and explanation are
       declared once, for checking and for widgets. `__post_init__` calls `core.parameters.check`.
    3. `row` packs what kernels need into at most `ROW` floats. A load is data: a changed number never recompiles. A load
       that needs the body's own numbers, such as its inertia, overrides `bound`, which is called before anything else.
    4. `torque_kernel(row, t, p, omega)`, decorated with `core.kernel.inline`, returns the body torque about the body's
       reference point [N m, body components] for `row` (ROW floats), `t` [s], `p` (4, scalar first, not
       necessarily unit: `A` means `G L^T`) and `omega` [rad/s, body].
    5. A load with a potential sets `gradient_kernel(row, t, p)`, which returns dV/dp (4) [J], and overrides
       `potential`, which may depend on t, both with `A = G L^T` off the sphere, so that they are homogeneous in p. On the sphere
       `-1/2 L dV/dp` equals the torque; tests check it for every load.
    6. A force at a body point sets `application_kernel(row, t, p)`, which returns the force (3) [N, space] and the
       point (3) [m, body]: the Lagrangian load forms `split` and `gradient` are built from it. It overrides `applied`, the
       same for arrays in NumPy, which the theory of lambda reads: written twice, so that each checks the other.
    7. What a person is shown of a load is `acting`, its force at a body point, and `moment`, its torque. A force that
       enters the Lagrangian forms by its potential, such as a spring's, overrides `acting`; a pure torque overrides
       `moment`, or it is called row by row through its kernel.
    8. Magnitudes are declared with `timed=True`: a person may type an expression of t for them. Torque and potential must
       be linear in all timed fields of a load together. Its methods and kernels never see an expression: `core.loads`
       divides such a load into loads with numbers, each of which it multiplies by a function of time.
    9. `keeps_energy` says whether T + V stays constant under this load as long as its magnitudes do: True with a potential
       that does not depend on t.
    10. `position_matters` says whether it would be another load if the body were moved without turning, as a spring to an
       anchor is; the translation of a free body is known only where none is.
    11. A force that depends on where the centre of mass of a free body is, and on nothing else, is `pulled`: it turns no body
       that is free, so that its translation can be integrated beside the rotation.
    12. The kernels of a `common` load are compiled into every loop over steps, which each makes a little slower for all
       runs; those of others are called.
    """

    contract: ClassVar[int] = 1
    name: ClassVar[str]
    torque_kernel: ClassVar[Callable[..., Any]]
    gradient_kernel: ClassVar[Callable[..., Any] | None] = None
    application_kernel: ClassVar[Callable[..., Any] | None] = None
    common: ClassVar[bool] = False
    position_matters: ClassVar[bool] = False

    @property
    def keeps_energy(self) -> bool:
        """Whether T + V stays constant under it."""
        return type(self).gradient_kernel is not None

    def bound(self, body: Body) -> Load:
        """This load on that body."""
        return self

    @abstractmethod
    def row(self) -> tuple[float, ...]:
        """The numbers that this load's kernels read."""

    def applied(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Force (n, 3) [N, space] and its point (3,) [m, body] at times (n,) [s] and Euler parameters (n, 4); None for a
        pure torque."""
        return None

    def acting(self, t: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Force (n, 3) [N, space] and its point (3,) [m, body] at times (n,) and unit p (n, 4), whatever the Lagrangian
        forms take the load for; None for a pure torque."""
        return self.applied(t, p)

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

    def pulled(self, centre: np.ndarray) -> np.ndarray | None:
        """Force (3,) [N, space] on a free body whose centre of mass is at (3,) [m, space], by that place alone; None for a load
        that has none."""
        return None

    def potential(self, t: np.ndarray, p: np.ndarray) -> np.ndarray:
        """V (n,) [J] at times (n,) [s] and Euler parameters (n, 4); zero for a load without potential."""
        return np.zeros(p.shape[:-1])
