"""The in-program help: the Markdown pages in `assets/help`, their sections, and search in them. Nothing here draws."""

from quatviz.teaching.help.pages import Page, Section, find, pages
from quatviz.teaching.help.text_search import Hit, search, sought

__all__ = ["Hit", "Page", "Section", "find", "pages", "search", "sought"]
