"""What a kind of action is."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from random_user.user import RandomUser


class UserAction(ABC):
    """One kind of thing that a person does.

    1. `name` is the module's name; `weight` says how often it is done, compared with the others.
    2. `do` draws every choice from `user.random`, so that a seed repeats it, and touches no file outside `user.folder`.
    3. It says in `user.log` what it does before it does it: the story must hold the action that breaks the window.
    """

    name: ClassVar[str]
    weight: ClassVar[float] = 1.0

    @abstractmethod
    def do(self, user: RandomUser) -> None:
        """Do it once; nothing where the window offers no occasion."""


class WindowAction(UserAction):
    """What a person does in a window of its own, which is opened where it is not seen. `tool` is its name,
    `operations` what can be done there, each as often as it stands there."""

    tool: ClassVar[str]
    operations: ClassVar[tuple[str, ...]]

    def do(self, user: RandomUser) -> None:
        window = user.session.tool_windows.window(self.tool)
        if window is None or not window.isVisible():
            user.log(f"{self.name}: open")
            user.session.open_tool(self.tool)
            return
        operation = self.choose_operation(user, window)
        user.log(f"{self.name}: {operation}")
        if operation == "cancel":
            window.cancel()
        elif operation == "close":
            window.close()
        else:
            self.perform(user, window, operation)

    def choose_operation(self, user: RandomUser, window: Any) -> str:
        """What is done now."""
        return user.pick(self.operations)

    @abstractmethod
    def perform(self, user: RandomUser, window: Any, operation: str) -> None:
        """Do it, where it is neither to cancel nor to close."""
