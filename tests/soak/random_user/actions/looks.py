"""How a run is shown, taken from elsewhere."""

from quatviz.base import resources
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.view_state import Look, format_look, parse_look
from random_user.actions.base import Action
from random_user.actions.presets import FEW_KERNELS
from random_user.user import User


class Looks(Action):
    """What is shown is looked at in another way: that of a preset, that of a first start, or its own, written and read again."""

    name = "looks"
    weight = 1.0

    def do(self, user: User) -> None:
        window = user.window
        doing = user.pick(("preset", "preset", "first", "again", "reset"))
        user.note(f"look: {doing}")
        if doing == "preset":
            wanted = read_session(resources.preset_folder() / f"{user.pick(FEW_KERNELS)}.toml").look
            window.dress(wanted or Look())
        elif doing == "first":
            window.dress(Look())
        elif doing == "again":
            window.dress(parse_look(format_look(window.look)))
        else:
            window.acts["reset_look"].trigger()
