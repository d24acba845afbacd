"""The view state: one value for how a run is shown, used by files, settings, lessons, films, figures and scripts.

`view_store.ViewStore` holds the view state of a window. Each field belongs to one of three categories:

- *undoable*: a choice of the user; changing it is an undo step;
- *changing* (transient): what changes all the time or by itself (cameras, zoom, scrolling, window geometry, the
  cursor);
- *machine-local*: what belongs to the screen (theme, scale, widths).
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
"""Version of the format of a file that holds only a view state."""
SIDE_WIDTH, VIEWS_WIDTH, PLOTS_WIDTH = 344, 790, 786
"""Default widths of the side column, the 3D views and the plots [pixels]."""
DEFAULT_SECTIONS = ("Lanes", "Description", "At_the_cursor")
"""Sections of the side column that are expanded by default."""
ALL_OTHERS = "*"
"""Name that stands for all panels without their own key in `ViewState.panels`, and for all lanes in
`ViewState.equations`."""
OVERVIEW_PANELS = ("euler_angles", "euler_parameters", "omega", "h", "multiplier")
"""Panels of the overview, in order of their positions: attitude, rates, and the multiplier below."""
OVERVIEW_DIVISION = (304, 380, 596)
"""Widths of the side column, the 3D views and the plots in the overview [pixels]. With these widths, the plots have two
columns on any screen."""
MAGNIFICATIONS = range(10)
"""Powers of ten by which differences can be magnified. With a larger power, round-off would become visible."""

SETTINGS_SCOPES = (USER, SCREEN)
"""Scopes of the fields of a view state that are kept between two starts of the program."""
SESSION_SCOPES = (USER, RUN)
"""Scopes of the fields of a view state that are saved in a session file."""
LESSON_SCOPES = (USER, RUN, TRANSIENT)
"""Scopes of the fields of a view state that a lesson may change. They are restored at the end of the lesson."""

_read_time_range = fixed_list_reader(read_number, (0, 2), "two times")


def _read_options(key: str, value: Any) -> dict[str, str]:
    options: dict[str, str] = mapping_reader(read_string)(key, value)
    for name in options.keys() & COMMON_CHOICES.keys():
        choice_reader(COMMON_CHOICES[name].options)(join_key(key, name), options[name])
    return options


def _read_fraction(key: str, value: Any) -> float:
    if not 0.0 <= read_number(key, value) <= 1.0:
        raise schema_error(key, "a fraction from 0 to 1", value)
    return float(value)


def _read_speed(key: str, value: Any) -> float | None:
    return None if value is None else read_number(key, value)


UNDOABLE, CHANGING, MACHINE_LOCAL = "undoable", "changing", "machine-local"
"""Categories of the fields of `ViewState`."""


@dataclass(frozen=True)
class ViewState(Record):
    """All choices about how a run is shown. `ViewState()` is the default view.

    Unknown names of panels, items, sections and lanes are ignored by the views. Invalid values are refused.

    Examples
    --------
    >>> import quatviz as qv
    >>> view_state = qv.ViewState(theme="light", panels={"multiplier": True}, span=(0.0, 5.0))
    >>> view_state.theme, view_state.follow
    ('light', True)
    """

    theme: str = schema_field(choice_reader(THEMES), "dark", SCREEN, category=MACHINE_LOCAL)
    """Name of a theme in `display.view_state.theme.THEMES`."""
    scale: int = schema_field(choice_reader(INTERFACE_SCALES), 100, SCREEN, category=MACHINE_LOCAL)
    """Interface scale [%]."""
    panels: Mapping[str, bool] = schema_field(
        mapping_reader(read_bool), {}, USER, category=UNDOABLE, undo_text="panels"
    )
    """True for panels to show and False for panels to hide, by name; `ALL_OTHERS` stands for all other panels.

    Panels that are not named are shown if they are relevant to the run.
    """
    layout: PanelLayout = schema_field(
        record_reader(PanelLayout),
        PanelLayout(),
        USER,
        category=UNDOABLE,
        undo_text="positions of the panels",
    )
    """Positions of the panels on the board."""
    overview: bool = schema_field(read_bool, False, USER, category=UNDOABLE, undo_text="overview")
    """True if the plots show `OVERVIEW_PANELS` instead of the panels in `panels` and `layout`, which are shown
    again when the overview ends."""
    maximised: str = schema_field(read_string, "", TRANSIENT, category=CHANGING)
    """Name of the maximized panel; "" for none."""
    scrolled: tuple[float, ...] = schema_field(
        fixed_list_reader(_read_fraction, (0, 2), "two fractions from 0 to 1"),
        (),
        TRANSIENT,
        category=CHANGING,
    )
    """Scroll positions of the side column and the plots, from 0 to 1."""
    options: Mapping[str, str] = schema_field(
        _read_options, {}, USER, category=UNDOABLE, undo_text="option of a panel"
    )
    """Chosen options, such as the Euler sequence, by the name of the choice. Choices are declared in
    `display.view_state.choices` and by panels."""
    difference: bool = schema_field(
        read_bool, False, USER, category=UNDOABLE, undo_text="difference of the lanes"
    )
    """True if panels show each lane minus the reference lane."""
    reference: str = schema_field(read_string, "", RUN, category=UNDOABLE, undo_text="reference lane")
    """Name of the reference lane; "" if none was chosen."""
    measurement: Measurement = schema_field(
        record_reader(Measurement), Measurement(), RUN, category=UNDOABLE, undo_text="measured curve"
    )
    """Lane, quantity and component of the curve that is measured."""
    span: tuple[float, ...] = schema_field(_read_time_range, (), RUN, category=CHANGING)
    """Time range of the plots (from, to) [s]; () for the whole run."""
    follow: bool = schema_field(read_bool, True, USER, category=CHANGING)
    """True if the time axis scrolls when the playing cursor leaves it."""
    selected: tuple[float, ...] = schema_field(_read_time_range, (), RUN, category=CHANGING)
    """Selected time range (from, to) [s]; () for none."""
    items: Mapping[str, bool] = schema_field(
        mapping_reader(read_bool), {}, USER, category=UNDOABLE, undo_text="items in 3D"
    )
    """True for items to show in 3D and False for items to hide, by name, in all views."""
    views: ViewLayout = schema_field(
        record_reader(ViewLayout), ViewLayout(), USER, category=UNDOABLE, undo_text="3D views"
    )
    """Number of 3D views, their lanes and frames, and whether their cameras are linked."""
    cameras: Mapping[int, CameraPose] = schema_field(
        numbered_reader(record_reader(CameraPose), VIEW_COUNTS[-1]), {}, RUN, category=CHANGING
    )
    """Camera pose by view number. A view without a pose shows the whole body."""
    magnification: int = schema_field(
        choice_reader(MAGNIFICATIONS), 0, USER, category=UNDOABLE, undo_text="magnification in 3D"
    )
    """Power of ten by which differences between lanes are magnified in 3D."""
    equations: str = schema_field(
        read_string, "", RUN, category=UNDOABLE, undo_text="equations below the run"
    )
    """Lane whose equations are docked below the run, `ALL_OTHERS` for all lanes side by side; "" if they are not
    docked there."""
    lane_numbers: bool = schema_field(
        read_bool, True, USER, category=UNDOABLE, undo_text="numbers below the lanes"
    )
    """True if the rows of the lanes show their values at the cursor."""
    sections: tuple[str, ...] = schema_field(
        list_reader(read_string), DEFAULT_SECTIONS, USER, category=CHANGING
    )
    """Expanded sections of the side column."""
    splitter: tuple[int, ...] = schema_field(
        fixed_list_reader(read_pixels, (0, 3), "three widths"), (), USER, category=MACHINE_LOCAL
    )
    """Splitter widths of the side column, the 3D views and the plots [pixels]. In a window of another width, the last
    two share the difference equally."""
    division: tuple[int, ...] = schema_field(
        fixed_list_reader(read_pixels, (0, 3), "three widths"),
        (),
        RUN,
        category=UNDOABLE,
        undo_text="sizes of the window's parts",
    )
    """Splitter widths requested by the preset [pixels]; () for none. They override the user's until another preset is
    loaded."""
    lanes: LaneStyles = schema_field(record_reader(LaneStyles), LaneStyles(), RUN, category=CHANGING)
    """Colors and modes of the lanes. Default styles are used if the number of styles differs from the number of
    lanes of the run."""
    cursor: float = schema_field(read_number, 0.0, RUN, category=CHANGING)
    """Time of the cursor [s]."""
    speed: float | None = schema_field(_read_speed, None, RUN, category=CHANGING)
    """Playback speed [s of motion per s]; None for the speed that the preset gives."""
    loop: bool = schema_field(read_bool, False, RUN, category=CHANGING)
    """True if the cursor returns to the start at the end."""


def format_view_state(view_state: ViewState) -> str:
    """Format a view state as TOML. `parse_view_state` returns an equal one."""
    return f"look = {VERSION}\n" + toml_tables(view_state.to_table())


def parse_view_state(source: str, source_name: str = "<look>") -> ViewState:
    """Parse the view state in a text of its own or in a session.

    Raises
    ------
    InputError
        If the text is invalid. The error names the line.
    """
    return read_document(source, source_name, _from_document)


def read_view_state(path: str | Path) -> ViewState:
    """Read the view state in a file, which may also be a session.

    Raises
    ------
    InputError
        If the text is invalid. The error names the file and the line.
    """
    return parse_view_state(read_text_file(Path(path)), str(path))


def toml_tables(table: Mapping[str, Any], name: str = "") -> str:
    """Format a table as TOML, with the heading `name` if given. Nested tables get their own headings."""
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
    """Return a view state with the undoable fields of `view_state` and default values of all other fields."""
    return ViewState(**_undoable_values(view_state))


def with_undoable_part(view_state: ViewState, chosen: ViewState) -> ViewState:
    """Return a view state with the undoable fields of `chosen`. Panels that float in both keep their window geometry."""
    boxes = view_state.layout.floating
    floating = {name: boxes.get(name) or box for name, box in chosen.layout.floating.items()}
    values = {**_undoable_values(chosen), "layout": replace(chosen.layout, floating=floating)}
    return replace(view_state, **values)


def has_same_undoable_part(first: ViewState, second: ViewState) -> bool:
    """Return True if all undoable fields are equal, including the geometry of floating panels."""
    return all(getattr(first, name) == getattr(second, name) for name in UNDOABLE_FIELDS)


def has_same_choices(first: ViewState, second: ViewState) -> bool:
    """Return True if all undoable fields are equal, except for the geometry of floating panels."""
    values = (getattr(first, name) == getattr(second, name) for name in UNDOABLE_FIELDS if name != "layout")
    same_layout = (
        first.layout == second.layout or first.layout.without_boxes() == second.layout.without_boxes()
    )
    return same_layout and all(values)


def _undoable_values(view_state: ViewState) -> dict[str, Any]:
    return {name: getattr(view_state, name) for name in UNDOABLE_FIELDS}


def without_proposal(shown: ViewState, proposed: ViewState, own: ViewState) -> ViewState:
    """Return the user's own choices while a preset is shown that has proposed other choices."""
    values: dict[str, Any] = {}
    for name in UNDOABLE_FIELDS:
        mine, now, theirs = (getattr(state, name) for state in (own, shown, proposed))
        if isinstance(now, Mapping):
            values[name] = {**mine, **{key: now[key] for key in now if now[key] != theirs.get(key)}}
        else:
            values[name] = mine if now == theirs else now
    return ViewState(**values)


def choices_of(view_state: ViewState) -> dict[str, Any]:
    """Return the values of the undoable fields by name, without the geometry of floating panels."""
    return {**_undoable_values(view_state), "layout": view_state.layout.without_boxes()}


def describe_change(before: ViewState, after: ViewState) -> str:
    """Return a text for the undo menu that says what changed. It fits inside a sentence."""
    old, new = choices_of(before), choices_of(after)
    changed = [name for name in UNDOABLE_FIELDS if old[name] != new[name]]
    if len(changed) != 1:
        return tr("appearance of the window")
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
    """Return the choice that changed and its new option; "" if several changed, or one was reset to the default of
    the run."""
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
        The view state.
    name
        Name of the panel.
    default
        True if the panel is relevant to the run.
    """
    if view_state.overview:
        return name in OVERVIEW_PANELS
    panels = view_state.panels
    return panels.get(name, panels.get(ALL_OTHERS, default))


def with_panel_shown(view_state: ViewState, name: str, shown: bool) -> dict[str, Any]:
    """Return the changed fields of the view state that show or hide one panel. An overview ends, and its other panels
    stay visible."""
    if not view_state.overview:
        return {"panels": {**view_state.panels, name: shown}}
    return {
        "panels": {ALL_OTHERS: False, **dict.fromkeys(OVERVIEW_PANELS, True), name: shown},
        "overview": False,
    }
