"""The page in a notebook."""

from __future__ import annotations

import html
from pathlib import Path

from quatviz.export.web.page import refuse_page
from quatviz.text.files import write_text


class PageView:
    """What `run.view()` returns: a notebook shows it in place, `save` writes it, `html` is its text."""

    def __init__(self, text: str, height: int = 720) -> None:
        self.html = text
        self.height = height

    def save(self, path: str | Path) -> None:
        """Write the page to a file `.html`, whole or not at all."""
        refuse_page(path)
        write_text(path, self.html)

    def _repr_html_(self) -> str:
        """A frame of its own, that neither takes the notebook's style nor reaches into it."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" '
            f'style="width:100%;height:{self.height}px;border:0" allowfullscreen></iframe>'
        )
