"""Lessons and the help, without Qt.

- `lessons/`: lectures as Markdown files. Begin with `lessons.model`; `parsing` reads a file, `checking` measures the
  numbers in its text, and `sheet` and `questions` write worksheets and quizzes.
- `help/`: the pages in `assets/help`. Begin with `help.pages`; `generated` fills in the tables that are made from code.
  `actions` defines the type of menu entries, which the window and the help's list of keys share.
"""
