"""Lessons, the sheets of them, and the start page."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.teaching.lessons import read_lesson
from quatviz.ui.lessons.presenter import Presenter
from quatviz.ui.tools.export.lesson_dialogs import SheetDialog
from random_user.actions.base import Action
from random_user.user import User

FEW_KERNELS = ("intermediate_axis", "double_cover")
"""Lessons whose kernels are soon compiled, so that a short run is not one of waiting."""


class Lessons(Action):
    """A lesson begins, goes on or back, is answered or voted on, shown to a room, or left; a sheet is written, or given
    up."""

    name = "lessons"
    weight = 2.0

    def do(self, user: User) -> None:
        presenter = user.session.presenter
        if user.random.random() < 0.15:
            self._write(user)
        elif presenter is None or not presenter.presenting:
            name = user.pick(FEW_KERNELS)
            user.note(f"lesson {name}")
            user.session.present(read_lesson(name))
        else:
            self._go_on(user, presenter)

    def _go_on(self, user: User, presenter: Presenter) -> None:
        view = presenter.panel.question
        ways = (
            "next",
            "next",
            "next",
            "back",
            "answer",
            "answer",
            "votes",
            "again",
            "room",
            "pointer",
            "leave",
        )
        doing = user.pick(ways)
        user.note(f"lesson: {doing}")
        choices = [choice for choice in view.choices if choice.isVisible()]
        counting = [choice.votes for choice in choices if choice.votes.isVisible()]
        if doing == "again":
            view.again.click() if view.again.isVisible() else user.session.follow_lesson("votes")
        elif doing == "answer" and counting:
            QTest.keyClicks(user.pick(counting), user.pick(("7", "12", "0", "99999", "-1")))
        elif doing != "answer":
            user.session.follow_lesson(doing)
        elif choices:
            user.click(user.pick(choices), user.pick(choices).rect().center())
        elif view.field.isVisible():
            view.field.setText(user.pick(("1", "31.1", "abc", "1e999", "−2,5", "")))
            QTest.keyClick(view.field, Qt.Key.Key_Return)

    def _write(self, user: User) -> None:
        """A process of its own, for which a rest waits."""
        dialog = user.session.exporter.ask("sheet")
        assert isinstance(dialog, SheetDialog)
        if dialog.job is not None:
            user.note("sheet: cancel")
            dialog.button.click()
            return
        user.note("sheet: write")
        dialog.lesson.show_value(user.pick(FEW_KERNELS))
        dialog.write(user.folder / "sheets")
