"""The lesson new_name can be read, and its numbers agree with new runs."""

from pathlib import Path

from quatviz.teaching.lessons.checking import evaluate_checks
from quatviz.teaching.lessons.parsing import read_lesson


def test_checks_pass() -> None:
    made = list(evaluate_checks(read_lesson(Path(__file__).with_name("new_name.md"))))
    assert made
    assert [one for one in made if not one.ok] == []
