"""Choosing presets."""

from quatviz.base import resources
from random_user.actions.base import Action
from random_user.user import User

FEW_KERNELS = (
    "torque_free",
    "intermediate_axis",
    "t_handle",
    "tumbling_brick",
    "round_trip",
    "off_the_sphere",
)
"""Presets whose kernels are soon compiled, so that a short run is not one of waiting."""


class Presets(Action):
    """Another preset, as the gallery would take it."""

    name = "presets"
    weight = 0.7

    def do(self, user: User) -> None:
        name = user.pick(FEW_KERNELS)
        user.note(f"preset {name}")
        user.window.desk.open(resources.preset_folder() / f"{name}.toml")
