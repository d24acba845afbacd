"""How a run is shown: one value that files, settings, lessons, films, pictures and scripts read and write."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quatviz.base.formatting import within
from quatviz.base.parameters import joined
from quatviz.base.translation import tr
from quatviz.display.view_state.arrangement import Layout
from quatviz.display.view_state.camera import Stance
from quatviz.display.view_state.choices import KNOWN
from quatviz.display.view_state.lane_styles import Display
from quatviz.display.view_state.scope import MOMENT, PERSON, ROOM, RUN
from quatviz.display.view_state.theme import SCALES, THEMES
from quatviz.display.view_state.view_layout import NUMBERS, Plan
from quatviz.files.limits import refuse_version
from quatviz.files.preset_reading import read_document, read_text
from quatviz.files.schema import (
    Plain,
    each,
    named,
    nested,
    number,
    numbered,
    one_of,
    pixels,
    refusal,
    said,
    some,
    text,
    truth,
)
from quatviz.files.toml_text import toml_pairs

VERSION = 1
"""Of a file that holds a look."""
SIDE, VIEWS, PLOTS = 344, 790, 786
"""Widths of the side column, the 3D views and the plots at a first start [pixels]."""
SECTIONS = ("Lanes", "At_the_cursor")
"""Sections that are unfolded at a first start."""
OTHERS = "*"
"""In place of a panel's name: all that have none in a look."""
MAGNIFICATIONS = range(10)
"""Powers of ten by which differences can be enlarged: beyond the last the rounding of doubles would be seen as one."""

IN_SETTINGS = (PERSON, ROOM)
"""What is remembered from start to start."""
IN_SESSION = (PERSON, RUN)
"""What goes with the file of a run, to other rooms."""
IN_LESSON = (PERSON, RUN, MOMENT)
"""What a lesson changes, and gives back."""

_times = some(number, (0, 2), "two times")


def _options(key: str, value: Any) -> dict[str, str]:
    options: dict[str, str] = named(text)(key, value)
    for name in options.keys() & KNOWN.keys():
        one_of(KNOWN[name].options)(joined(key, name), options[name])
    return options


def _share(key: str, value: Any) -> float:
    if not 0.0 <= number(key, value) <= 1.0:
        raise refusal(key, "a share from 0 to 1", value)
    return float(value)


def _speed(key: str, value: Any) -> float | None:
    return None if value is None else number(key, value)


@dataclass(frozen=True)
class Look(Plain):
    """Every choice that a person can make about how a run is shown. `Look()` is a first start; names of panels, items,
    sections and lanes that there are not are left out by whoever shows it. A value that it cannot have is refused.

    >>> import quatviz as qv
    >>> look = qv.Look(theme="light", panels={"multiplier": True}, span=(0.0, 5.0))
    >>> look.theme, look.follow
    ('light', True)
    """

    theme: str = said(one_of(THEMES), "dark", ROOM)
    """One of `look.theme.THEMES`."""
    scale: int = said(one_of(SCALES), 100, ROOM)
    """Size of everything [%]."""
    panels: Mapping[str, bool] = said(named(truth), {}, PERSON)
    """Panels that a person wants to see, or not, by name, and under `OTHERS` all others; without it those are seen that concern
    the run."""
    layout: Layout = said(nested(Layout), Layout(), PERSON)
    """Where panels stand."""
    maximised: str = said(text, "", MOMENT)
    """The panel that has the whole board."""
    scrolled: tuple[float, ...] = said(some(_share, (0, 2), "two shares from 0 to 1"), (), MOMENT)
    """How far down side column and plots are scrolled, from 0 to 1."""
    options: Mapping[str, str] = said(_options, {}, PERSON)
    """What is chosen of `look.choices` and of those that panels have, by name: the Euler sequence, frames, forms of p and of
    angles."""
    difference: bool = said(truth, False, PERSON)
    """Whether panels show each lane minus the reference lane."""
    reference: str = said(text, "", RUN)
    """That lane; empty where nobody has chosen one."""
    span: tuple[float, ...] = said(_times, (), RUN)
    """The times from a to b [s] that the plots show; empty for the whole run."""
    follow: bool = said(truth, True, PERSON)
    """Whether the time axis moves with a playing cursor that would leave it."""
    selected: tuple[float, ...] = said(_times, (), RUN)
    """The selected times from a to b [s], or none."""
    items: Mapping[str, bool] = said(named(truth), {}, PERSON)
    """Items of the 3D views that a person wants to see, or not, by name; the same in all views."""
    views: Plan = said(nested(Plan), Plan(), PERSON)
    """How many 3D views, of which lanes, from which frame, and whether their cameras do the same."""
    cameras: Mapping[int, Stance] = said(numbered(nested(Stance), NUMBERS[-1]), {}, RUN)
    """Where the camera of a view stands, by its number; all of the body is seen where it says nothing."""
    magnification: int = said(one_of(MAGNIFICATIONS), 0, PERSON)
    """The power of ten by which differences of the lanes are enlarged in 3D."""
    equations: str = said(text, "", RUN)
    """The lane whose equations stand below the run, `OTHERS` for those of all, side by side; empty where they stand elsewhere."""
    lane_numbers: bool = said(truth, True, PERSON)
    """Whether the rows of the lanes show their numbers at the cursor."""
    sections: tuple[str, ...] = said(each(text), SECTIONS, PERSON)
    """Sections of the side column that are unfolded."""
    splitter: tuple[int, ...] = said(some(pixels, (0, 3), "three widths"), (), PERSON)
    """Widths of side column, 3D views and plots [pixels]; where the window has another, the last two share it alike."""
    division: tuple[int, ...] = said(some(pixels, (0, 3), "three widths"), (), RUN)
    """Such widths that the run wants in the place of a person's, which come back with the next; empty where it wants none."""
    lanes: Display = said(nested(Display), Display(), RUN)
    """Colours of the lanes, the body, the ghosts; as at first where it has not as many as the run."""
    cursor: float = said(number, 0.0, RUN)
    """Where the cursor stands [s]."""
    speed: float | None = said(_speed, None, RUN)
    """Seconds of motion a second, that of the preset if None."""
    loop: bool = said(truth, False, RUN)
    """Whether the cursor starts over at the end."""


def format_look(look: Look) -> str:
    """The text of a look, such that `parse_look` gives an equal one."""
    return f"look = {VERSION}\n" + toml_tables(look.to_table())


def parse_look(source: str, place: str = "<look>") -> Look:
    """The look that a text describes, of its own or in a session; `InputError` at the line."""
    return read_document(source, place, _from_document)


def read_look(path: str | Path) -> Look:
    """The look in the file `path`, which may be a session too. `InputError` names the file and the line."""
    return parse_look(read_text(Path(path)), str(path))


def toml_tables(table: Mapping[str, Any], name: str = "") -> str:
    """The lines of a table, with a heading where it has a `name`; tables in it have headings of their own."""
    inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    own = {key: value for key, value in table.items() if key not in inner}
    head = f"[{name}]\n" if name else ""
    parts = [head + toml_pairs(own)]
    parts += [f"[{joined(name, key)}]\n" + toml_pairs(value) for key, value in inner.items()]
    return "\n".join(parts)


def _from_document(document: dict[str, Any]) -> Look:
    if "session" in document:
        return Look().taking(Look.from_table(document.get("look", {}), "look"), IN_SESSION)
    refuse_version(document.pop("look", None), "look", VERSION)
    return Look.from_table(document)


CHOSEN = {
    "panels": "panels",
    "layout": "places of the panels",
    "options": "form of a panel",
    "difference": "difference of the lanes",
    "reference": "reference lane",
    "items": "items in 3D",
    "views": "3D views",
    "magnification": "magnification in 3D",
    "equations": "equations below the run",
    "division": "division of the window",
    "lane_numbers": "numbers below the lanes",
}
"""Fields of a look of which a change is a step, and what a person reads of one. Cameras, times in sight and what is scrolled or
unfolded change all the time, and theme and size of everything belong to the room."""


def chosen_of(look: Look) -> Look:
    """What somebody has chosen of a look, the rest as at a first start."""
    return Look(**_fields(look))


def with_chosen(look: Look, chosen: Look) -> Look:
    """A look with these choices."""
    return replace(look, **_fields(chosen))


def _fields(look: Look) -> dict[str, Any]:
    return {name: getattr(look, name) for name in CHOSEN}


def is_one_move(before: Look, after: Look) -> bool:
    """Whether only a window of a panel was moved, or differences magnified: many such changes in a row are one step."""
    boxes = replace(before.layout, floating=dict.fromkeys(before.layout.floating, ()))
    boxed = replace(after.layout, floating=dict.fromkeys(after.layout.floating, ()))
    same = replace(before, layout=boxes, magnification=0) == replace(after, layout=boxed, magnification=0)
    return same and boxes == boxed


def words_of(before: Look, after: Look, panels: Mapping[str, str], items: Mapping[str, str]) -> str:
    """What a person reads of a change, in the middle of a sentence; `panels` and `items` are titles by name."""
    changed = [name for name in CHOSEN if getattr(before, name) != getattr(after, name)]
    if len(changed) != 1:
        return tr("look")
    name, said = changed[0], ""
    if name == "panels":
        said = _shown(before.panels, after.panels, panels)
    elif name == "items":
        said = _shown(before.items, after.items, items)
    elif name == "options":
        said = _option(before.options, after.options)
    elif name == "views" and before.views.number != after.views.number:
        said = tr("number of 3D views")
    return said or tr(CHOSEN[name])


def _option(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The choice that is another one, and what it is; empty where it were several, or it is left to the run."""
    kinds = [kind for kind in KNOWN.values() if before.get(kind.name) != after.get(kind.name)]
    if len(kinds) != 1 or kinds[0].name not in after:
        return ""
    return f"{within(kinds[0].title)} {kinds[0].text(after[kinds[0].name])}"


def _shown(before: Mapping[str, bool], after: Mapping[str, bool], titles: Mapping[str, str]) -> str:
    """The one that was shown or hidden; empty where it were several."""
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    if len(names) != 1 or names[0] not in after:
        return ""
    title = titles.get(names[0], names[0])
    return tr("show “{title}”", title=title) if after[names[0]] else tr("hide “{title}”", title=title)


def wants(panels: Mapping[str, bool], name: str, concerned: bool) -> bool:
    """Whether a look's `panels` show this one, which the run concerns or not."""
    return panels.get(name, panels.get(OTHERS, concerned))
