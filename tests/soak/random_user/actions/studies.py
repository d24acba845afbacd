"""Studies of the current preset."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.analysis.studies.measures import MEASURES
from quatviz.ui.tools.study.window import StudyWindow
from quatviz.ui.widgets.entries import LineEntry
from random_user.actions.base import WindowAction
from random_user.user import RandomUser

_TEXTS = ("0.1", "0.02", "1", "nan", "x", "1e999", "-1", "")


class Studies(WindowAction):
    """Start or cancel a small study, change its choices or its measure, or load one of its runs."""

    name = "studies"
    weight = 1.5
    tool = "study"
    operations = (
        "run",
        "run",
        "cancel",
        "check",
        "compare",
        "type",
        "measure",
        "load",
        "load",
        "click",
        "close",
    )

    def perform(self, user: RandomUser, study: StudyWindow, operation: str) -> None:
        if operation == "run":
            self._run(study)
        elif operation == "load":
            if study.table.rowCount():
                study.table.cellActivated.emit(user.random.randrange(study.table.rowCount()), 0)
        elif operation == "click":
            user.click(study.plots, user.random_point(study.plots))
        else:
            self._change(user, study, operation)

    def _run(self, study: StudyWindow) -> None:
        """Start a study with coarse steps and a duration of 1 s, because the window is tested, not the runs."""
        study.choices.count.show_value(2)
        study.choices.tolerance_count.show_value(2)
        for entry, text in ((study.choices.coarsest, "0.02"), (study.choices.duration, "1")):
            if entry.text():
                entry.show_text(text)
        study.run()

    def _change(self, user: RandomUser, study: StudyWindow, operation: str) -> None:
        choices = study.choices
        if operation == "check":
            boxes = [*choices.lanes.values(), *choices.integrators.values()]
            user.pick(boxes).click()
        elif operation == "compare":
            QTest.keyClick(choices.over_box, user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
        elif operation == "measure":
            study.choose_measure(user.pick(sorted(MEASURES)))
        else:
            entries = [
                candidate
                for candidate in choices.findChildren(LineEntry)
                if candidate.isVisible() and candidate.isEnabled()
            ]
            user.enter(user.pick(entries), user.pick(_TEXTS))
