"""Lessons: lectures in text files. They contain only data; nothing in a lesson can run code."""

from quatviz.teaching.lessons.model import (
    Lesson,
    LessonCheck,
    LessonPart,
    LessonStep,
    Question,
    QuestionAndAnswer,
    Scene,
)
from quatviz.teaching.lessons.parsing import (
    find_lesson,
    lesson_paths,
    parse_lesson,
    read_lesson,
)

__all__ = [
    "Lesson",
    "LessonCheck",
    "LessonPart",
    "LessonStep",
    "Question",
    "QuestionAndAnswer",
    "Scene",
    "find_lesson",
    "lesson_paths",
    "parse_lesson",
    "read_lesson",
]
