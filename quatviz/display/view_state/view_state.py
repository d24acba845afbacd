"""How a run is shown: one value that files, settings, lessons, films, figures and scripts read and write.

`view_store.ViewStore` holds the value of a window. Each field is declared as one of three categories:

- *undoable*: a choice; a change of it is an undo step;
- *changing* (transient): what changes all the time or by itself (cameras, zoom, scroll positions, window geometry, the cursor);
- *machine-local*: what belongs to the screen and the room (theme, scale, widths).
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from quatviz.base.formatting import lowercase_first
from quatviz.base.parameters import join_key
from quatviz.base.translation import tr
from quatviz.display.view_state.arrangement import PanelLayout
from quatviz.display.view_state.camera import CameraPose
from quatviz.display.view_state.choices import COMMON_CHOICES
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.measurement import Measurement
from quatviz.display.view_state.theme import INTERFACE_SCALES, THEMES
from quatviz.display.view_state.view_layout import VIEW_COUNTS, ViewLayout
from quatviz.files.limits import refuse_version
from quatviz.files.preset_reading import read_document, read_text_file
from quatviz.files.schema import (
    RUN,
    SCREEN,
    TRANSIENT,
    USER,
    Record,
    choice_reader,
    fixed_list_reader,
    list_reader,
    mapping_reader,
    numbered_reader,
    read_bool,
    read_number,
    read_pixels,
    read_string,
    record_reader,
    schema_error,
    schema_field,
)
from quatviz.files.toml_text import toml_pairs

VERSION = 1
"""Of a file that holds a look."""
SIDE_WIDTH, VIEWS_WIDTH, PLOTS_WIDTH = 344, 790, 786
"""Widths of the side column, the 3D views and the plots at a first start [pixels]."""
DEFAULT_SECTIONS = ("Lanes", "At_the_cursor")
"""Sections that are unfolded at a first start."""
ALL_OTHERS = "*"
"""In place of a panel's name: all that have none in a look."""
OVERVIEW_PANELS = ("euler_angles", "euler_parameters", "omega", "h", "multiplier")
"""Panels of the overview, in the order of their places: attitude, rates, and the multiplier below."""
OVERVIEW_DIVISION = (304, 400, 576)
"""Widths of the side column, the 3D views and the plots in the overview [pixels]: the plots have two columns on any screen."""
MAGNIFICATIONS = range(10)
"""Powers of ten by which differences can be enlarged: beyond the last the rounding of doubles would be seen as one."""

SETTINGS_SCOPES = (USER, SCREEN)
"""What is remembered from start to start."""
SESSION_SCOPES = (USER, RUN)
"""What goes with the file of a run, to other rooms."""
LESSON_SCOPES = (USER, RUN, TRANSIENT)
"""What a lesson changes, and gives back."""

_read_time_range = fixed_list_reader(read_number, (0, 2), "two times")


def _read_options(key: str, value: Any) -> dict[str, str]:
    options: dict[str, str] = mapping_reader(read_string)(key, value)
    for name in options.keys() & COMMON_CHOICES.keys():
        choice_reader(COMMON_CHOICES[name].options)(join_key(key, name), options[name])
    return options


def _read_fraction(key: str, value: Any) -> float:
    if not 0.0 <= read_number(key, value) <= 1.0:
        raise schema_error(key, "a share from 0 to 1", value)
    return float(value)


def _read_speed(key: str, value: Any) -> float | None:
    return None if value is None else read_number(key, value)


UNDOABLE, CHANGING, MACHINE_LOCAL = "undoable", "changing", "machine-local"
"""Categories of the fields of `ViewState`."""


@dataclass(frozen=True)
class ViewState(Record):
    """Every choice that a person can make about how a run is shown. `ViewState()` is a first start; names of panels, items,
    sections and lanes that there are not are left out by whoever shows it. A value that it cannot have is refused.

    >>> import quatviz as qv
    >>> view_state = qv.ViewState(theme="light", panels={"multiplier": True}, span=(0.0, 5.0))
    >>> view_state.theme, view_state.follow
    ('light', True)
    """

    theme: str = schema_field(choice_reader(THEMES), "dark", SCREEN, category=MACHINE_LOCAL)
    """One of `display.view_state.theme.THEMES`."""
    scale: int = schema_field(choice_reader(INTERFACE_SCALES), 100, SCREEN, category=MACHINE_LOCAL)
    """Size of everything [%]."""
    panels: Mapping[str, bool] = schema_field(
        mapping_reader(read_bool), {}, USER, category=UNDOABLE, undo_text="panels"
    )
    """Panels that a person wants to see, or not, by name, and under `ALL_OTHERS` all others; without it those are seen that concern
    the run."""
    layout: PanelLayout = schema_field(
        record_reader(PanelLayout), PanelLayout(), USER, category=UNDOABLE, undo_text="places of the panels"
    )
    """Where panels stand."""
    overview: bool = schema_field(read_bool, False, USER, category=UNDOABLE, undo_text="overview")
    """True if the plots are those of `OVERVIEW_PANELS` in place of `panels` and `layout`, which come back afterwards."""
    maximised: str = schema_field(read_string, "", TRANSIENT, category=CHANGING)
    """The panel that has the whole board."""
    scrolled: tuple[float, ...] = schema_field(
        fixed_list_reader(_read_fraction, (0, 2), "two shares from 0 to 1"), (), TRANSIENT, category=CHANGING
    )
    """How far down side column and plots are scrolled, from 0 to 1."""
    options: Mapping[str, str] = schema_field(
        _read_options, {}, USER, category=UNDOABLE, undo_text="form of a panel"
    )
    """What is chosen of `display.view_state.choices` and of those that panels have, by name: the Euler sequence, frames, forms
    of p and of angles."""
    difference: bool = schema_field(
        read_bool, False, USER, category=UNDOABLE, undo_text="difference of the lanes"
    )
    """Whether panels show each lane minus the reference lane."""
    reference: str = schema_field(read_string, "", RUN, category=UNDOABLE, undo_text="reference lane")
    """That lane; empty where nobody has chosen one."""
    measurement: Measurement = schema_field(
        record_reader(Measurement), Measurement(), RUN, category=UNDOABLE, undo_text="measured curve"
    )
    """The curve that is measured."""
    span: tuple[float, ...] = schema_field(_read_time_range, (), RUN, category=CHANGING)
    """The times from a to b [s] that the plots show; empty for the whole run."""
    follow: bool = schema_field(read_bool, True, USER, category=CHANGING)
    """Whether the time axis moves with a playing cursor that would leave it."""
    selected: tuple[float, ...] = schema_field(_read_time_range, (), RUN, category=CHANGING)
    """The selected times from a to b [s], or none."""
    items: Mapping[str, bool] = schema_field(
        mapping_reader(read_bool), {}, USER, category=UNDOABLE, undo_text="items in 3D"
    )
    """Items of the 3D views that a person wants to see, or not, by name; the same in all views."""
    views: ViewLayout = schema_field(
        record_reader(ViewLayout), ViewLayout(), USER, category=UNDOABLE, undo_text="3D views"
    )
    """How many 3D views, of which lanes, from which frame, and whether their cameras do the same."""
    cameras: Mapping[int, CameraPose] = schema_field(
        numbered_reader(record_reader(CameraPose), VIEW_COUNTS[-1]), {}, RUN, category=CHANGING
    )
    """Where the camera of a view stands, by its number; all of the body is seen where it says nothing."""
    magnification: int = schema_field(
        choice_reader(MAGNIFICATIONS), 0, USER, category=UNDOABLE, undo_text="magnification in 3D"
    )
    """The power of ten by which differences of the lanes are enlarged in 3D."""
    equations: str = schema_field(
        read_string, "", RUN, category=UNDOABLE, undo_text="equations below the run"
    )
    """The lane whose equations stand below the run, `ALL_OTHERS` for those of all, side by side; empty where they stand
    elsewhere."""
    lane_numbers: bool = schema_field(
        read_bool, True, USER, category=UNDOABLE, undo_text="numbers below the lanes"
    )
    """Whether the rows of the lanes show their numbers at the cursor."""
    sections: tuple[str, ...] = schema_field(
        list_reader(read_string), DEFAULT_SECTIONS, USER, category=CHANGING
    )
    """Sections of the side column that are unfolded."""
    splitter: tuple[int, ...] = schema_field(
        fixed_list_reader(read_pixels, (0, 3), "three widths"), (), USER, category=MACHINE_LOCAL
    )
    """Widths of side column, 3D views and plots [pixels]; where the window has another, the last two share it alike."""
    division: tuple[int, ...] = schema_field(
        fixed_list_reader(read_pixels, (0, 3), "three widths"),
        (),
        RUN,
        category=UNDOABLE,
        undo_text="division of the window",
    )
    """Such widths that the run wants in the place of a person's, which come back with the next; empty where it wants none."""
    lanes: LaneStyles = schema_field(record_reader(LaneStyles), LaneStyles(), RUN, category=CHANGING)
    """Colours of the lanes, the body, the ghosts; as at first where it has not as many as the run."""
    cursor: float = schema_field(read_number, 0.0, RUN, category=CHANGING)
    """Where the cursor stands [s]."""
    speed: float | None = schema_field(_read_speed, None, RUN, category=CHANGING)
    """Seconds of motion a second, that of the preset if None."""
    loop: bool = schema_field(read_bool, False, RUN, category=CHANGING)
    """Whether the cursor starts over at the end."""


def format_view_state(view_state: ViewState) -> str:
    """The text of a look, such that `parse_view_state` gives an equal one."""
    return f"look = {VERSION}\n" + toml_tables(view_state.to_table())


def parse_view_state(source: str, source_name: str = "<look>") -> ViewState:
    """The look that a text describes, of its own or in a session; `InputError` at the line."""
    return read_document(source, source_name, _from_document)


def read_view_state(path: str | Path) -> ViewState:
    """The look in the file `path`, which may be a session too. `InputError` names the file and the line."""
    return parse_view_state(read_text_file(Path(path)), str(path))


def toml_tables(table: Mapping[str, Any], name: str = "") -> str:
    """The lines of a table, with a heading where it has a `name`; tables in it have headings of their own."""
    inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    own = {key: value for key, value in table.items() if key not in inner}
    head = f"[{name}]\n" if name else ""
    parts = [head + toml_pairs(own)]
    parts += [f"[{join_key(name, key)}]\n" + toml_pairs(value) for key, value in inner.items()]
    return "\n".join(parts)


def _from_document(document: dict[str, Any]) -> ViewState:
    if "session" in document:
        return ViewState().merged_with(ViewState.from_table(document.get("look", {}), "look"), SESSION_SCOPES)
    refuse_version(document.pop("look", None), "look", VERSION)
    return ViewState.from_table(document)


FIELD_CATEGORIES: Mapping[str, str] = {field.name: field.metadata["category"] for field in fields(ViewState)}
"""Category of each field: `UNDOABLE`, `CHANGING` or `MACHINE_LOCAL`."""
UNDOABLE_FIELDS: Mapping[str, str] = {
    field.name: field.metadata["undo_text"]
    for field in fields(ViewState)
    if field.metadata["category"] == UNDOABLE
}
"""Text for the undo menu of each undoable field. A preset may propose these fields, and no others."""


def undoable_part(view_state: ViewState) -> ViewState:
    """Return the undoable fields of a view state, the others as at a first start."""
    return ViewState(**_undoable_values(view_state))


def with_undoable_part(view_state: ViewState, chosen: ViewState) -> ViewState:
    """Return a view state with the undoable fields of `chosen`. Windows of panels that float in both stay where they are."""
    boxes = view_state.layout.floating
    floating = {name: boxes.get(name) or box for name, box in chosen.layout.floating.items()}
    values = {**_undoable_values(chosen), "layout": replace(chosen.layout, floating=floating)}
    return replace(view_state, **values)


def has_same_undoable_part(one: ViewState, other: ViewState) -> bool:
    """Return True if all undoable fields are equal, the positions of windows of panels too."""
    return all(getattr(one, name) == getattr(other, name) for name in UNDOABLE_FIELDS)


def has_same_choices(one: ViewState, other: ViewState) -> bool:
    """Return True if all undoable fields are equal. Where the windows of floating panels are is no choice."""
    values = (getattr(one, name) == getattr(other, name) for name in UNDOABLE_FIELDS if name != "layout")
    same_layout = one.layout == other.layout or one.layout.without_boxes() == other.layout.without_boxes()
    return same_layout and all(values)


def _undoable_values(view_state: ViewState) -> dict[str, Any]:
    return {name: getattr(view_state, name) for name in UNDOABLE_FIELDS}


def without_proposal(shown: ViewState, proposed: ViewState, own: ViewState) -> ViewState:
    """Return the user's own choices while a preset is shown that has proposed others.

    Parameters
    ----------
    shown
        What is shown now: what the preset proposed, and what the user has changed since.
    proposed
        What the preset proposed.
    own
        The user's choices before the preset was opened.

    Returns
    -------
    ViewState
        The undoable fields of `own`, but for those that differ between `shown` and `proposed`. Of panels, items and options
        that is so for each name.
    """
    values: dict[str, Any] = {}
    for name in UNDOABLE_FIELDS:
        mine, now, theirs = (getattr(state, name) for state in (own, shown, proposed))
        if isinstance(now, Mapping):
            values[name] = {**mine, **{key: now[key] for key in now if now[key] != theirs.get(key)}}
        else:
            values[name] = mine if now == theirs else now
    return ViewState(**values)


def choices_of(view_state: ViewState) -> dict[str, Any]:
    """Return the values of the undoable fields by name, without the positions of windows."""
    return {**_undoable_values(view_state), "layout": view_state.layout.without_boxes()}


def describe_change(before: ViewState, after: ViewState) -> str:
    """Return a text for the undo menu that says what changed, in the middle of a sentence."""
    old, new = choices_of(before), choices_of(after)
    changed = [name for name in UNDOABLE_FIELDS if old[name] != new[name]]
    if len(changed) != 1:
        return tr("look")
    name, description = changed[0], ""
    if name == "options":
        description = _describe_option_change(before.options, after.options)
    elif name == "views" and before.views.number != after.views.number:
        description = tr("number of 3D views")
    return description or tr(UNDOABLE_FIELDS[name])


def visibility_text(title: str, is_shown: bool) -> str:
    """Return a text for the undo menu that says that a panel or an item was shown or hidden."""
    return tr("show “{title}”", title=title) if is_shown else tr("hide “{title}”", title=title)


def _describe_option_change(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """The choice that is another one, and what it is; empty where it were several, or it is left to the run."""
    changed_choices = [
        choice for choice in COMMON_CHOICES.values() if before.get(choice.name) != after.get(choice.name)
    ]
    if len(changed_choices) != 1 or changed_choices[0].name not in after:
        return ""
    return f"{lowercase_first(changed_choices[0].title)} {changed_choices[0].text(after[changed_choices[0].name])}"


def is_panel_shown(view_state: ViewState, name: str, default: bool) -> bool:
    """Return True if a panel is shown.

    Parameters
    ----------
    view_state
        How the run is shown.
    name
        Name of the panel.
    default
        True if the panel has something to say about the run.
    """
    if view_state.overview:
        return name in OVERVIEW_PANELS
    panels = view_state.panels
    return panels.get(name, panels.get(ALL_OTHERS, default))


def with_panel_shown(view_state: ViewState, name: str, shown: bool) -> dict[str, Any]:
    """Return the fields of a view state that show or hide one panel. In the overview its other panels stay, and it ends."""
    if not view_state.overview:
        return {"panels": {**view_state.panels, name: shown}}
    return {
        "panels": {ALL_OTHERS: False, **dict.fromkeys(OVERVIEW_PANELS, True), name: shown},
        "overview": False,
    }
