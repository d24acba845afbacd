"""Presets."""

from quatviz.base import resources
from random_user.actions.base import UserAction
from random_user.user import RandomUser

FEW_KERNELS = (
    "torque_free",
    "intermediate_axis",
    "t_handle",
    "tumbling_brick",
    "round_trip",
    "off_the_sphere",
)
"""Presets with few kernels, so that little time is spent on compilation."""


class Presets(UserAction):
    """Open a preset."""

    name = "presets"
    weight = 0.7

    def do(self, user: RandomUser) -> None:
        name = user.pick(FEW_KERNELS)
        user.log(f"preset {name}")
        user.window.file_actions.open(resources.preset_folder() / f"{name}.toml")
