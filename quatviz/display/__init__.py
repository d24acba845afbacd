"""Display of a run: the parts that do not use Qt.

- `document/`: the open run with its edits and undo; begin with `document.Document`.
- `view_state/`: how the run is shown; begin with `view_state.ViewState` and `view_store.ViewStore`.
- `data/`: what is visible at one instant; begin with `frame.Frame`, which `frame_builder.FrameBuilder` creates.
- `panels/` and `scene/items/`: plot panels and 3D items, one file each. Their contracts are in `panels/base` and
  `scene/base.py`.

The window (`ui`), figures, films and the web page draw from these values.
"""
