"""Events at a random time of the motion."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.physics.events import event_templates
from quatviz.ui.widgets.entries import LineEntry
from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Experiments(UserAction):
    """Add an event, and apply or cancel its card."""

    name = "experiments"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        experiment = user.window.experiments
        name = user.pick(sorted(event_templates()))
        time = user.random.uniform(0.0, user.session.simulation.preset.run.duration)
        user.log(f"{name} at {time:.2f} s")
        experiment.perform(name, time)
        card = experiment.event_card
        if not card.isVisible():
            return
        entries = [entry for entry in card.findChildren(LineEntry) if entry.isVisible()]
        if entries and user.random.random() < 0.5:
            entry, text = user.pick(entries), user.pick(("1", "-2.5", "0.1", "nan", "x", ""))
            user.log(f"event card: “{text}”")
            entry.setFocus()
            entry.selectAll()
            user.type(entry, text)
        user.click(card.apply_button, card.apply_button.rect().center())
        if card.isVisible() and user.random.random() < 0.7:
            QTest.keyClick(card, Qt.Key.Key_Escape)
