"""Lessons: a lecture as a text file. Data only; nothing in a lesson can run code."""

from quatviz.teaching.lessons.model import Asking, Check, Lesson, Part, Question, Scene, Step
from quatviz.teaching.lessons.parsing import (
    find_lesson,
    lesson_paths,
    parse_lesson,
    read_lesson,
)

__all__ = [
    "Asking",
    "Check",
    "Lesson",
    "Part",
    "Question",
    "Scene",
    "Step",
    "find_lesson",
    "lesson_paths",
    "parse_lesson",
    "read_lesson",
]
