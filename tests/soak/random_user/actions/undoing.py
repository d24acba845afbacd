"""Back and forth among the steps."""

from random_user.actions.base import Action
from random_user.user import User


class Undoing(Action):
    """Some steps of undo or redo."""

    name = "undoing"
    weight = 2.0

    def do(self, user: User) -> None:
        document, steps = user.session.document, user.random.randint(1, 3)
        back = user.random.random() < 0.6
        user.note(f"{'undo' if back else 'redo'} {steps} times")
        for _ in range(steps):
            document.undo() if back else document.redo()
