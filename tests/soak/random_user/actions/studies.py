"""Studies over the preset of the window."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from quatviz.analysis.studies.measures import MEASURES
from quatviz.ui.tools.study.window import StudyWindow
from quatviz.ui.widgets.controls import Entry
from random_user.actions.base import InWindow
from random_user.user import User

_TEXTS = ("0.1", "0.02", "1", "nan", "x", "1e999", "-1", "")


class Studies(InWindow):
    """A study of a few runs is begun, ended, read by another measure; a run of it is loaded; the window closes."""

    name = "studies"
    weight = 1.5
    window = "study"
    doings = ("run", "run", "cancel", "tick", "over", "type", "measure", "load", "load", "click", "close")

    def act(self, user: User, study: StudyWindow, doing: str) -> None:
        if doing == "run":
            self._run(study)
        elif doing == "load":
            if study.table.rowCount():
                study.table.cellActivated.emit(user.random.randrange(study.table.rowCount()), 0)
        elif doing == "click":
            user.click(study.plots, user.spot(study.plots))
        else:
            self._change(user, study, doing)

    def _run(self, study: StudyWindow) -> None:
        """In coarse steps, for a second of motion: the window is asked, not the processes."""
        study.choices.count.show_value(2)
        study.choices.tolerance_count.show_value(2)
        for entry, text in ((study.choices.coarsest, "0.02"), (study.choices.duration, "1")):
            if entry.text():
                entry.show_text(text)
        study.run()

    def _change(self, user: User, study: StudyWindow, doing: str) -> None:
        choices = study.choices
        if doing == "tick":
            boxes = [*choices.lanes.values(), *choices.integrators.values()]
            user.pick(boxes).click()
        elif doing == "over":
            QTest.keyClick(choices.over, user.pick((Qt.Key.Key_Down, Qt.Key.Key_Up)))
        elif doing == "measure":
            study.choose_measure(user.pick(sorted(MEASURES)))
        else:
            entries = [one for one in choices.findChildren(Entry) if one.isVisible() and one.isEnabled()]
            user.enter(user.pick(entries), user.pick(_TEXTS))
