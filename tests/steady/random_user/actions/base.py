"""What a kind of action is."""

from abc import ABC, abstractmethod
from typing import ClassVar

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
