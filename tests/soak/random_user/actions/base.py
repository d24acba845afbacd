"""What a kind of action is."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from random_user.user import User


class Action(ABC):
    """One kind of thing that a person does.

    1. `name` is the module's name; `weight` says how often it is done, compared with the others.
    2. `do` draws every choice from `user.random`, so that a seed repeats it, and touches no file outside `user.folder`.
    3. It says in `user.note` what it does before it does it: the story must hold the action that breaks the window.
    """

    name: ClassVar[str]
    weight: ClassVar[float] = 1.0

    @abstractmethod
    def do(self, user: User) -> None:
        """Do it once; nothing where the window offers no occasion."""


class InWindow(Action):
    """What a person does in a window of its own, which is opened where it is not seen. `window` is what the session calls it,
    `doings` what can be done there, each as often as it stands there."""

    window: ClassVar[str]
    doings: ClassVar[tuple[str, ...]]

    def do(self, user: User) -> None:
        window = getattr(user.session, self.window)
        if window is None or not window.isVisible():
            user.note(f"{self.name}: open")
            getattr(user.session, f"open_{self.window}")()
            return
        doing = self.chosen(user, window)
        user.note(f"{self.name}: {doing}")
        if doing == "cancel":
            window.cancel()
        elif doing == "close":
            window.close()
        else:
            self.act(user, window, doing)

    def chosen(self, user: User, window: Any) -> str:
        """What is done now."""
        return user.pick(self.doings)

    @abstractmethod
    def act(self, user: User, window: Any, doing: str) -> None:
        """Do it, where it is neither to cancel nor to close."""
