"""Lessons and their worksheets."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.teaching.lessons import read_lesson
from quatviz.ui.lessons.presenter import Presenter
from quatviz.ui.tools.export.lesson_dialogs import SheetDialog
from random_user.actions.base import UserAction
from random_user.user import RandomUser

FEW_KERNELS = ("intermediate_axis", "double_cover")
"""Lessons with few kernels, so that little time is spent on compilation."""


class Lessons(UserAction):
    """Start, continue, answer or leave a lesson, or write a worksheet or cancel it."""

    name = "lessons"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        presenter = user.session.presenter
        if user.random.random() < 0.15:
            self._write_sheet(user)
        elif presenter is None or not presenter.is_presenting:
            name = user.pick(FEW_KERNELS)
            user.log(f"lesson {name}")
            user.session.present(read_lesson(name))
        else:
            self._continue(user, presenter)

    def _continue(self, user: RandomUser, presenter: Presenter) -> None:
        view = presenter.panel.question
        commands = (
            "next",
            "next",
            "next",
            "back",
            "answer",
            "answer",
            "votes",
            "again",
            "presentation",
            "pointer",
            "leave",
        )
        command = user.pick(commands)
        user.log(f"lesson: {command}")
        choices = [choice for choice in view.answer_buttons if choice.isVisible()]
        vote_fields = [choice.votes_field for choice in choices if choice.votes_field.isVisible()]
        if command == "again":
            view.vote_again_button.click() if view.vote_again_button.isVisible() else user.session.control_lesson(
                "votes"
            )
        elif command == "answer" and vote_fields:
            QTest.keyClicks(user.pick(vote_fields), user.pick(("7", "12", "0", "99999", "-1")))
        elif command != "answer":
            user.session.control_lesson(command)
        elif choices:
            user.click(user.pick(choices), user.pick(choices).rect().center())
        elif view.number_field.isVisible():
            view.number_field.setText(user.pick(("1", "31.1", "abc", "1e999", "−2,5", "")))
            QTest.keyClick(view.number_field, Qt.Key.Key_Return)

    def _write_sheet(self, user: RandomUser) -> None:
        """Write a worksheet in a child process, which the next checkpoint waits for."""
        dialog = user.session.exporter.open_dialog("sheet")
        assert isinstance(dialog, SheetDialog)
        if dialog.job is not None:
            user.log("sheet: cancel")
            dialog.export_button.click()
            return
        user.log("sheet: write")
        dialog.lesson.show_value(user.pick(FEW_KERNELS))
        dialog.write(user.folder / "sheets")
