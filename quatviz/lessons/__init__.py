"""Lessons: a lecture as a text file. Data only; nothing in a lesson can run code."""

from quatviz.lessons.model import Check, Lesson, Part, Question, Scene, Step, with_end
from quatviz.lessons.reading import (
    find_lesson,
    lesson_paths,
    parse_lesson,
    read_heading,
    read_lesson,
    shipped,
)

__all__ = [
    "Check",
    "Lesson",
    "Part",
    "Question",
    "Scene",
    "Step",
    "find_lesson",
    "lesson_paths",
    "parse_lesson",
    "read_heading",
    "read_lesson",
    "shipped",
    "with_end",
]
