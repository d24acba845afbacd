"""Replacements of the complete view state."""

from quatviz.base import resources
from quatviz.display.view_state.session import read_session
from quatviz.display.view_state.view_state import ViewState, format_view_state, parse_view_state
from random_user.actions.base import UserAction
from random_user.actions.presets import FEW_KERNELS
from random_user.user import RandomUser


class ViewStates(UserAction):
    """Assign the view state of a preset, the default, or the current one after a round trip through text."""

    name = "view_states"
    weight = 1.0

    def do(self, user: RandomUser) -> None:
        window = user.window
        operation = user.pick(("preset", "preset", "default", "round trip", "reset"))
        user.log(f"view state: {operation}")
        if operation == "preset":
            preset_state = read_session(
                resources.preset_folder() / f"{user.pick(FEW_KERNELS)}.toml"
            ).view_state
            window.store.assign(preset_state or ViewState())
        elif operation == "default":
            window.store.assign(ViewState())
        elif operation == "round trip":
            window.store.assign(parse_view_state(format_view_state(window.view_state)))
        else:
            window.action_registry["reset_look"].trigger()
