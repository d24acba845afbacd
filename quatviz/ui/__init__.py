"""The window: everything that draws with Qt, pyqtgraph or OpenGL. Nothing outside this package imports Qt, except `app.py`.

Packages, from the inside out (a package imports only from those above it):

- `widgets/`: general widgets, form fields, actions (`actions.py`), theme and fonts (`style.py`), formula typesetting.
- `plots/`: the board of plots. `board.py` holds the panels, `panel_layout.py` their positions, `strip_plot.py` draws one plot.
- `scene/`: the 3D views. `view_grid.py` lays out one, two or four `scene_view.py`; `renderer.py` draws with OpenGL.
- `sidebar/`: presets, body, loads and lanes at the left, with the current values.
- `transport/`: play controls and timeline.
- `tools/`: windows of their own (fit, maps, studies, help, equation cards, import, export, comparison).
- `window/`: `main_window.py` assembles the parts, `actions.py` lists every menu action with its keys,
  `frame_loop.py` connects the window to the simulation thread. Widths and scroll positions, messages, theme, focus and the
  question about unsaved changes have a module each.
- `lessons/` and `start/`: lesson player and start page.

`quatviz/app.py` creates the application, the document and the window, and connects them.

How a run is shown: `display.document` holds the preset and its undo steps, `simulation.worker` computes lanes in a background
thread. `window/frame_loop.py` has one timer per frame. On every tick `display.data.frame_builder` builds one immutable `Frame`,
which is passed to the plots, the 3D views and the value list. Panels and 3D items themselves are in `display/panels` and
`display/scene`, without Qt; this package only draws them.

One `display.data.redraws.Redraws` per window lists the parts that must be redrawn. A part marks itself with a
reason, and asks there whether the frame has time for it. No part keeps a flag of its own.

How a run is shown is one value, `display.view_state.view_state.ViewState`. The document's `view`, a `ViewStore`, owns it:

- a signal of a widget calls `store.update(text, field=value)`, which is also an undo step if the field is undoable;
- a slot that is connected to `store.changed(old, new)` shows what changed;
- sessions, lessons, films, figures and undo only assign a state (`store.assign`).

No widget owns a choice, and none is asked for one. So a new view option needs two files. One is
`display/view_state/view_state.py`, with the field of `ViewState`, its category and its text for the
undo menu. The other is the part that shows it, with its slot and the signal of its control. Session
files, settings, undo, lessons and films follow from the field. An entry of the menu bar is one more
line in `window/actions.py`.

Where to look first:

- a menu action or a key: `window/actions.py`;
- a plot: its panel in `display/panels/`, then `ui/plots/strip_plot.py`;
- a 3D item: `display/scene/items/`, then `ui/scene/renderer.py`;
- a field of the sidebar: `sidebar/setup/`, then `widgets/form.py`;
- a dialog: `tools/`.
"""
