"""How a run is shown, taken from elsewhere."""

from quatviz.base import resources
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.view_state import ViewState, format_view_state, parse_view_state
from random_user.actions.base import UserAction
from random_user.actions.presets import FEW_KERNELS
from random_user.user import RandomUser


class ViewStates(UserAction):
    """What is shown is looked at in another way: that of a preset, that of a first start, or its own, written and read again."""

    name = "looks"
    weight = 1.0

    def do(self, user: RandomUser) -> None:
        window = user.window
        operation = user.pick(("preset", "preset", "first", "again", "reset"))
        user.log(f"look: {operation}")
        if operation == "preset":
            preset_state = read_session(
                resources.preset_folder() / f"{user.pick(FEW_KERNELS)}.toml"
            ).view_state
            window.store.assign(preset_state or ViewState())
        elif operation == "first":
            window.store.assign(ViewState())
        elif operation == "again":
            window.store.assign(parse_view_state(format_view_state(window.view_state)))
        else:
            window.action_registry["reset_look"].trigger()
