"""Base classes of the actions."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from random_user.user import RandomUser


class UserAction(ABC):
    """Base class of an action.

    1. `name` is the name of the module. `weight` is the relative frequency of the action.
    2. `do` draws every choice from `user.random`, so that a seed repeats it, and writes no file outside `user.folder`.
    3. `do` calls `user.log` before each operation, so that the log contains the operation that fails.
    """

    name: ClassVar[str]
    weight: ClassVar[float] = 1.0

    @abstractmethod
    def do(self, user: RandomUser) -> None:
        """Perform the action once, or do nothing if the window does not offer it."""


class WindowAction(UserAction):
    """Base class of an action in a tool window, which is opened if it is not visible.

    `tool` is the name of the window. `operations` are the names of its operations; a name that occurs twice is chosen twice as
    often.
    """

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
        """Return the name of the next operation."""
        return user.pick(self.operations)

    @abstractmethod
    def perform(self, user: RandomUser, window: Any, operation: str) -> None:
        """Perform an operation other than "cancel" and "close"."""
