"""Undo and redo."""

from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Undoing(UserAction):
    """Undo or redo up to three steps."""

    name = "undoing"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        document, steps = user.session.document, user.random.randint(1, 3)
        is_undo = user.random.random() < 0.6
        user.log(f"{'undo' if is_undo else 'redo'} {steps} times")
        for _ in range(steps):
            document.undo() if is_undo else document.redo()
