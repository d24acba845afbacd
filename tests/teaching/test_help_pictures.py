"""The pictures of the help: made by the program, small, with current names."""

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from quatviz.base import resources
from quatviz.commands.support.help_pictures import DESCRIPTION_KEY, PICTURES, HelpPicture, draw_picture
from quatviz.teaching.help import pages

AGAIN = "run python -m quatviz.commands.support.help_pictures"


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_picture_has_current_names_and_is_small(picture: HelpPicture) -> None:
    image = QImage(str(picture.path))
    assert image.text(DESCRIPTION_KEY) == picture.description, AGAIN
    assert 400 <= image.width() <= 700
    assert picture.path.stat().st_size < 200_000


def test_every_picture_is_shown_with_an_alternative_text() -> None:
    folder = resources.asset_path("help")
    shown = {}
    for page in pages().values():
        for caption, name in re.findall(r"!\[([^]]*)\]\((pictures/[^)]+)\)", page.text):
            assert len(caption.split()) > 4, page.title
            shown[folder / name] = page.title
    assert shown.keys() == {picture.path for picture in PICTURES}
    assert set((folder / "pictures").iterdir()) == shown.keys()


def test_redrawn_picture_equals_the_stored_one(qapp: object, tmp_path: Path) -> None:
    picture = next(item for item in PICTURES if item.name == "stripes")
    path = tmp_path / "made.png"
    draw_picture(picture, path)
    made, kept = (QImage(str(item)) for item in (path, picture.path))
    assert made.size() == kept.size()
    places = [(x, y) for x in range(0, kept.width(), 5) for y in range(0, kept.height(), 5)]
    unlike = sum(
        abs(made.pixelColor(*at).lightness() - kept.pixelColor(*at).lightness()) > 60 for at in places
    )
    assert unlike < 0.02 * len(places), AGAIN
