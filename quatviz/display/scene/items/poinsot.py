"""3D item that draws Poinsot's construction of torque-free motion: an ellipsoid that rolls on a plane."""

import numpy as np

from quatviz.display.data.frame import Pose
from quatviz.display.scene.base import Line, Mesh, transform_matrix
from quatviz.display.scene.free_motion import FreeMotion
from quatviz.physics.geometry.triangles import ellipsoid, frame_along, square

_HALF_SIDE = 1.35
"""Half the side of the drawn part of the invariable plane [body radii]. It exceeds the largest radius of the
herpolhode."""
_CORNERS = _HALF_SIDE * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0)], float)
_DOT_RADIUS = 0.05


class Poinsot(FreeMotion):
    """The inertia ellipsoid, the invariable plane, and their point of contact, in the scale of the arrow of omega.

    The ellipsoid `omega^T J omega = 2T` is fixed to the body. The plane `h^T omega = 2T` is perpendicular to h. They
    touch at the tip of omega. With a torque, h and T change, so that the construction does not apply.
    """

    name = "poinsot"
    title = "Poinsot ellipsoid and plane"
    summary = "the inertia ellipsoid, which rolls on the invariable plane without torque"
    unavailable_text = "no Poinsot plane"
    quantity = "omega"
    order = 85
    visible_by_default = False

    def make(self) -> None:
        super().make()
        self._plane = self.stage.add(Mesh(square(_HALF_SIDE), self.theme.h, "pane", alpha=0.13))
        self._edge = self.stage.add(Line(self.theme.h, 1.5))
        self._dot = self.stage.add(Mesh(ellipsoid(np.full(3, _DOT_RADIUS), np.eye(3), 12), self.theme.text))
        self._ellipsoid = self.stage.add(Mesh(ellipsoid(np.ones(3), np.eye(3)), self.theme.accent, "glass"))

    def draw_scaled(self, pose: Pose, length: float) -> bool:
        omega, h = pose.vectors["omega"], pose.vectors["h"]
        twice_kinetic, momentum = float(omega @ h), float(np.linalg.norm(h))
        if not twice_kinetic > 0:
            return False
        extents = length * np.sqrt(twice_kinetic / self.moments)
        self._ellipsoid.transform = transform_matrix(pose.rotation @ self.axes * extents)
        plane_transform = transform_matrix(
            np.array(frame_along(*(h / momentum).tolist())), length * twice_kinetic / momentum**2 * h
        )
        self._plane.transform = plane_transform
        self._edge.set_points(_CORNERS @ plane_transform[:3, :3].T + plane_transform[:3, 3])
        self._dot.transform = transform_matrix(offset=length * omega)
        return True
