"""A grid of one, two or four 3D views, which share their items. Each view can show its own lane, and differences between
lanes can be magnified."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from quatviz.base.formatting import format_factor
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame, drawn_lane_names, frame_of_lane
from quatviz.display.data.redraws import Redraws
from quatviz.display.scene.base import SceneItem
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.camera import VIEW_DIRECTIONS, CameraChange, CameraPose
from quatviz.display.view_state.choices import SEQUENCE_CHOICE
from quatviz.display.view_state.line_styles import brief_titles, title_and_color, title_with_glyph
from quatviz.display.view_state.theme import GRID_UNIT, Theme
from quatviz.display.view_state.view_layout import ALL_LANES, VIEW_COUNTS, ViewLayout
from quatviz.display.view_state.view_state import MAGNIFICATIONS, ViewState, visibility_text
from quatviz.display.view_state.view_store import ViewStore
from quatviz.physics.formulations import lane_title
from quatviz.ui.scene.scene_image import SharedGraphics
from quatviz.ui.scene.scene_view import DragHandler, SceneView
from quatviz.ui.scene.text_overlay import ColoredText
from quatviz.ui.widgets.actions import ActionRegistry, add_toggle, show_menu
from quatviz.ui.widgets.buttons import BUTTON_SIZE, CHEVRON_INSET, IconButton, draw_chevron
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.style import Themed, set_own_theme


def tile_rects(number: int, width: int, height: int, gap: int) -> list[QRect]:
    """Return `number` (1, 2 or 4) rectangles that fill an area, with gaps [pixels] between them.

    Two rectangles are side by side in a wide area, and one above the other otherwise.
    """
    columns, rows = {1: (1, 1), 4: (2, 2)}.get(number, (2, 1) if width > height else (1, 2))
    across, down = _split_length(columns, width, gap), _split_length(rows, height, gap)
    return [QRect(x, y, w, h) for y, h in down for x, w in across]


def _split_length(count: int, length: int, gap: int) -> list[tuple[int, int]]:
    """Split `length` into `count` parts separated by `gap`, and return start and length of each part."""
    usable_length = length - gap * (count - 1)
    starts = [usable_length * index // count for index in range(count + 1)]
    return [(starts[index] + gap * index, starts[index + 1] - starts[index]) for index in range(count)]


_HIDDEN_LANES_KEY = "lanes"
"""Key of the legend line that states how many lanes no view shows."""


class SceneViewGrid(Themed, QWidget):
    """The grid of views. Each view shows every frame with the lanes assigned to it.

    Views are created on demand. A hidden view keeps its camera and releases its graphics. Items and magnification are the
    same in all views. The first view always exists.
    """

    follows_setting = True
    problem_reported = Signal(str)
    changed = Signal()
    """Emitted when the number of views, the active view, the lanes, the camera frames or the linking of the cameras
    change."""
    magnification_changed = Signal(int)
    """Emitted with the power of ten by which lane differences are magnified."""

    def __init__(
        self,
        parent: QWidget | None = None,
        item_classes: Iterable[type[SceneItem]] | None = None,
        action_registry: ActionRegistry[Any] | None = None,
        sequence: Callable[[], str] = lambda: "321",
        theme: Theme | None = None,
        store: ViewStore | None = None,
        redraws: Redraws | None = None,
    ) -> None:
        """Create the grid.

        Parameters
        ----------
        parent
            Parent widget.
        item_classes
            Classes of the items; those of the registry if None.
        action_registry
            Actions of the window for the view menus; without it the views have no menu buttons.
        sequence
            Function that returns the chosen sequence of Euler angles.
        theme
            A theme other than that of the window, or None.
        store
            View state shown by the views.
        redraws
            Register of the parts of the window that must be redrawn.
        """
        super().__init__(parent)
        self.store, self._redraws = store or ViewStore(), redraws or Redraws()
        if theme is not None:
            set_own_theme(self, theme)
        self._action_registry = action_registry
        self.active_index = 0
        """Index of the view that keyboard actions apply to."""
        self._item_classes = None if item_classes is None else tuple(item_classes)
        self.shared_graphics = SharedGraphics()
        """The OpenGL context shared by all views."""
        self._views: list[SceneView] = []
        self._hosted_control: QWidget | None = None
        self._source: ColumnSource | None = None
        self._frame: Frame | None = None
        self._reported_problems: set[str] = set()
        self._dragged_sequence = ""
        """Euler angle sequence whose angle the user drags now, or ""."""
        self._sequence = lambda: self._dragged_sequence or sequence()
        self._drag_handler: DragHandler | None = None
        self.setMinimumSize(25 * GRID_UNIT, 240)  # so that all parts fit 850 pixels, a small screen at 150 %
        self._create_view()
        self.store.changed.connect(self._apply_view_change)

    # --- number and arrangement of views

    @property
    def view_layout(self) -> ViewLayout:
        """The number of views, and the lanes and camera frame of each view."""
        return self.store.state.views

    @property
    def magnification(self) -> int:
        """Exponent of the power of ten by which lane differences are magnified."""
        return self.store.state.magnification

    @property
    def first_view(self) -> SceneView:
        """The first view, which is never deleted."""
        return self._views[0]

    @property
    def active_view(self) -> SceneView:
        """The view that keyboard actions apply to."""
        return self._views[self.active_index]

    @property
    def shown_views(self) -> tuple[SceneView, ...]:
        """The visible views."""
        return tuple(self._views[: self.view_layout.number])

    def set_number(self, number: int) -> None:
        """Show one, two or four views."""
        if number in VIEW_COUNTS:
            self.set_view_layout(replace(self.view_layout, number=number))

    def set_linked(self, on: bool) -> None:
        """Link or unlink the cameras of all views. Linked cameras follow the camera of the active view."""
        self.set_view_layout(replace(self.view_layout, linked=on))

    def set_view_layout(self, view_layout: ViewLayout) -> None:
        """Show the number of views, lanes and camera frames of this layout."""
        self.store.update(views=view_layout)

    def activate(self, view: SceneView) -> None:
        """Make a view the active one."""
        self.active_index = self._views.index(view)
        self._update_views()

    def activate_next(self) -> None:
        """Make the next view the active one."""
        self.activate(self.shown_views[(self.active_index + 1) % self.view_layout.number])

    def choose_lane(self, view: SceneView, name: str | None) -> None:
        """Choose the lane of a view: the lane `name`, all lanes (`ALL_LANES`), or the lane after the present one
        (None).

        If another view has shown the chosen lane, it gets one of the remaining lanes.
        """
        self.set_view_layout(self.view_layout.with_lane(self._views.index(view) + 1, name))

    def lane_of(self, view: SceneView) -> str:
        """Return the lane shown in a view, or `ALL_LANES`."""
        return self._lane_names()[self._views.index(view)]

    @property
    def lanes(self) -> tuple[str, ...]:
        """Names of the lanes of the run."""
        return self._source.info.lanes if self._source is not None else ()

    def set_from_body(self, on: bool) -> None:
        """Let the camera of the active view rotate with the body, or fix it in space."""
        self.set_view_layout(self.view_layout.with_camera_frame(self.active_index + 1, on))

    @property
    def is_from_body(self) -> bool:
        """True if the camera of the active view rotates with the body."""
        return self.active_view.from_body

    def toggle_from_body(self) -> None:
        """Toggle whether the camera of the active view rotates with the body."""
        self.set_from_body(not self.is_from_body)

    # --- all views

    def start(self, source: ColumnSource) -> None:
        """Start to show another run. Hidden views release the data of the previous run."""
        self._source, self._frame = source, None
        for view in self._views:
            self._redraws.mark(view, "run")
            if view in self.shown_views:
                self._start_view(view)
            else:
                view.release()

    def prepare_frame(self, frame: Frame) -> None:
        """Start to draw a frame in all views at once. If views showed different frames, their lanes would seem to
        differ."""
        self._frame, frame = (
            frame,
            frame if self._drag_handler is None else self._drag_handler.preview_frame(frame),
        )
        self._update_headings(frame)
        if self._redraws.is_due(self, "cameras"):
            self._align_cameras(frame)
        for view, name in zip(
            self.shown_views, self.view_layout.lane_of_each_view(drawn_lane_names(frame)), strict=True
        ):
            view.prepare_frame(frame if name == ALL_LANES else frame_of_lane(frame, name))

    def show_frame(self, frame: Frame) -> None:
        """Show a frame."""
        if frame is not self._frame:
            self.prepare_frame(frame)
        for view in self.shown_views:
            view.present()

    def set_drag_handler(self, drag_handler: DragHandler) -> None:
        """Set the object that receives drags with the mouse in place of the cameras, or None."""
        self._drag_handler = drag_handler
        for view in self._views:
            view.drag_handler = drag_handler

    def show_preview(self) -> None:
        """Show the last frame again, with the dragged objects at their current positions."""
        if self._frame is not None:
            self.prepare_frame(self._frame)
            self.show_frame(self._frame)

    def show_proposed_vector(self, name: str, vector: np.ndarray | None) -> None:
        """Preview the vector (3,) [space frame, body radii] that the user proposes for the item `name`. With None, end
        the preview."""
        for view in self._views:
            view.stage.proposed.pop(name, None)
            if vector is not None:
                view.stage.proposed[name] = vector
            view.refresh()

    def show_gimbals(self, sequence: str) -> None:
        """Show the gimbals of an Euler angle sequence while the user drags its angles. With "", stop showing them."""
        self._dragged_sequence = sequence
        for view in self._views:
            view.stage.forced_items = ("gimbals",) if sequence else ()
            view.redraw()
        self.refresh()

    def refresh(self) -> None:
        """Show the last frame again."""
        for view in self.shown_views:
            view.refresh()

    def follow_theme(self) -> None:
        self._update_views()
        # Deferred until the hosted control has applied the theme.
        QTimer.singleShot(0, self, self._update_geometry)

    def fit(self) -> None:
        """Move the cameras so that the whole scene is visible, in all views if they are linked."""
        for view in self._linked_views:
            view.fit()

    def look_from(self, name: str) -> None:
        """Look from one of `VIEW_DIRECTIONS`. If the views are linked, each looks from this direction in its own frame."""
        for view in self._linked_views:
            view.look_from(name)

    def set_magnification(self, power: int) -> None:
        """Magnify lane differences by 10^power in views with several lanes."""
        self.store.update(magnification=power, coalesce=True)

    def host_control(self, control: QWidget) -> None:
        """Place a widget in the upper left corner of the first view that shows several lanes."""
        self._hosted_control = control
        self._update_views()

    @property
    def items(self) -> dict[str, type[SceneItem]]:
        """Scene items that have not failed, by name."""
        return self.first_view.stage.items

    def is_visible(self, name: str) -> bool:
        """Return True if an item is visible."""
        return self.first_view.stage.is_visible(name)

    def set_item_visible(self, name: str, visible: bool) -> None:
        """Show or hide an item in all views."""
        item = self.items.get(name)
        text = visibility_text(tr(item.title) if item is not None else name, visible)
        self.store.update(text, items={**self.store.state.items, name: visible})

    @property
    def item_visibility(self) -> dict[str, bool]:
        """Visibility of each item that the user has shown or hidden, by name."""
        return dict(self.store.state.items)

    def set_highlight(self, quantity: str) -> None:
        """Highlight the arrow of a quantity in all views."""
        for view in self._views:
            view.set_highlight(quantity)

    def _apply_view_change(self, old: ViewState, new: ViewState) -> None:
        """Show a changed view state: visible items, lanes, magnification and cameras."""
        wanted_poses = self.store.state.cameras  # read before adding or removing views changes them
        if new.items != old.items:
            for view in self._views:
                view.apply_visibility(new.items)
        if new.views != old.views:
            changes_link = [(views.number, views.each, views.linked) for views in (old.views, new.views)]
            if changes_link[0] != changes_link[1]:
                self._redraws.set_due(self, "cameras", new.views.linked)
        if (new.views, new.magnification) != (old.views, old.magnification):
            self._update_views()
        if new.magnification != old.magnification:
            self.magnification_changed.emit(new.magnification)
        if new.cameras != old.cameras and wanted_poses != self.camera_poses:
            if wanted_poses:
                self.set_camera_poses(wanted_poses)
            else:
                self.fit()

    @property
    def camera_poses(self) -> dict[int, CameraPose]:
        """Camera poses of the visible views, by view number."""
        return {number: view.camera_pose for number, view in enumerate(self.shown_views, 1)}

    def _store_camera_poses(self) -> None:
        self.store.update(cameras=self.camera_poses)

    def set_camera_poses(self, poses: Mapping[int, CameraPose]) -> None:
        """Set camera poses by view number; other cameras stay."""
        for number, view in enumerate(self.shown_views, 1):
            if number in poses:
                # Stored poses of linked cameras may differ and must not be aligned.
                self._redraws.clear(self, "cameras")
                view.set_camera_pose(poses[number])

    def shutdown(self) -> None:
        """Close all views. Closing the last one deletes the OpenGL context."""
        for view in self._views:
            view.shutdown()

    # --- Qt events

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._update_geometry()

    # --- internals

    @property
    def _linked_views(self) -> tuple[SceneView, ...]:
        return self.shown_views if self.view_layout.linked else (self.active_view,)

    def _create_view(self) -> SceneView:
        index = len(self._views)
        view = SceneView(
            self,
            self._item_classes,
            self.shared_graphics,
            self._sequence,
            lambda: [line for previous in self._views[:index] for line in previous.legend],
            self._redraws,
        )
        self._redraws.mark(view, "run")
        view.setAccessibleName(tr("3D view {number}", number=index + 1) if index else tr("3D view"))
        view.drag_handler = self._drag_handler
        view.problem_reported.connect(self._report)
        view.mouse_pressed.connect(lambda: self.activate(view))
        view.camera_moved.connect(lambda change: self._move_others(view, change))
        view.pose_changed.connect(self._store_camera_poses)
        view.apply_visibility(self.item_visibility)
        self._views.append(view)
        if self._action_registry is not None:
            SceneMenuButton(view, self, self._action_registry)
        return view

    def _start_view(self, view: SceneView) -> None:
        """Let a view start to show the current run, unless it shows this run already."""
        if self._source is not None and self._redraws.is_due(view, "run"):
            is_new = view.stage.shape is None
            view.start(self._source)
            self._redraws.clear(view, "run")
            if is_new:
                view.copy_camera_pose(self.active_view)

    def _update_views(self) -> None:
        """Create, show and hide views as the layout of views requires."""
        while len(self._views) < self.view_layout.number:
            self._create_view()
        self.active_index = min(self.active_index, self.view_layout.number - 1)
        self._update_geometry()
        for index, view in enumerate(self._views):
            is_shown = index < self.view_layout.number
            if not is_shown:
                view.release_graphics()
            view.setVisible(is_shown)
        if self._hosted_control is not None:
            self._hosted_control.raise_()
        for view in self.shown_views:
            self._start_view(view)
        if self._frame is not None:
            self.prepare_frame(self._frame)
        for view in self.shown_views:
            view.redraw()
        self.changed.emit()

    def _lane_names(self) -> list[str]:
        """Return for each view the name of the lane shown in it, or `ALL_LANES`."""
        return (
            self.view_layout.lane_of_each_view(drawn_lane_names(self._frame))
            if self._frame is not None
            else [ALL_LANES] * self.view_layout.number
        )

    def _update_geometry(self) -> None:
        names = self._lane_names()
        rects = tile_rects(self.view_layout.number, self.width(), self.height(), GRID_UNIT)
        for view, rect in zip(self.shown_views, rects, strict=True):
            view.setGeometry(rect)
        self._place_control(names)

    def _update_headings(self, frame: Frame) -> None:
        """Set camera frame, magnification and heading of each view. This must be done before the views draw the frame."""
        drawn_names = drawn_lane_names(frame)
        names, from_body = (
            self.view_layout.lane_of_each_view(drawn_names),
            self.view_layout.seen_from_body(drawn_names),
        )
        colors = {lane.name: lane.color for lane in frame.lanes}
        brief_names = (
            dict(zip(drawn_names, brief_titles(drawn_names), strict=True)) if any(names) else {}
        )  # only views of single lanes show them
        for index, (view, name, on) in enumerate(zip(self.shown_views, names, from_body, strict=True)):
            if view.from_body != on:
                view.set_from_body(on)
            power = self.magnification if name == ALL_LANES else 0
            if view.stage.magnification != power:
                view.set_magnification(power)
            title_lines: list[ColoredText] = []
            if name in colors:
                title_lines.append(title_and_color(self.theme, name, colors[name]))
            elif any(names):
                title_lines.append((tr("All lanes"), self.theme.text))
            if len(set(from_body)) > 1 or (on and title_lines):
                title_lines.append(
                    (tr("seen from the body") if on else tr("seen from space"), self.theme.muted)
                )
            overlay = view.text_overlay
            overlay.brief_title = (
                title_with_glyph(brief_names[name], colors[name]) if name in brief_names else ""
            )
            overlay.title_lines, overlay.is_active = (
                tuple(title_lines),
                self.view_layout.number > 1 and index == self.active_index,
            )
        self._place_control(names)
        seen_count, lane_count = self.view_layout.visible_lane_count(drawn_names)
        text = (
            tr(
                "{shown} of {total} lanes are shown; choose them in each view’s menu",
                shown=seen_count,
                total=lane_count,
            )
            if seen_count < lane_count
            else ""
        )
        self.first_view.stage.set_legend_line(_HIDDEN_LANES_KEY, text, self.theme.muted)

    def _place_control(self, names: list[str]) -> None:
        """Place the hosted control in the corner of the first view with several lanes. If it would be cut there, hide
        it: its actions are also in the menu."""
        if self._hosted_control is None:
            return
        index = names.index(ALL_LANES) if ALL_LANES in names else -1
        if index >= 0:  # leave room for the button in the other corner
            view_rect, hint = (
                self.shown_views[index].geometry().adjusted(GRID_UNIT, GRID_UNIT, 0, 0),
                self._hosted_control.sizeHint(),
            )
            if hint.width() > view_rect.width() - self.theme.scaled_pixels(BUTTON_SIZE) - 2 * GRID_UNIT:
                index = -1
            self._hosted_control.setGeometry(view_rect.x(), view_rect.y(), hint.width(), hint.height())
        for other, view in enumerate(self.shown_views):
            size = self._hosted_control.size() + QSize(GRID_UNIT, GRID_UNIT)
            view.text_overlay.inset = size if other == index else QSize(0, 0)
        self._hosted_control.setVisible(index >= 0)

    def _align_cameras(self, frame: Frame) -> None:
        """Align the linked cameras with the active one.

        A view of all lanes that would repeat the picture of an earlier view looks from above instead.
        """
        self._redraws.clear(self, "cameras")
        for view, is_repeated in zip(
            self.shown_views, self.view_layout.is_redundant(drawn_lane_names(frame)), strict=True
        ):
            if view is not self.active_view:
                view.copy_camera_pose(self.active_view)
                if is_repeated:
                    view.look_from("top")

    def _move_others(self, view: SceneView, change: CameraChange) -> None:
        if self.view_layout.linked:
            for other in self.shown_views:
                if other is not view:
                    other.move_camera(change)

    def _report(self, sentence: str) -> None:
        """Report a problem once, even if it occurs in several views."""
        if sentence not in self._reported_problems:
            self._reported_problems.add(sentence)
            self.problem_reported.emit(sentence)


class MagnificationBox(ChoiceBox):
    """A combo box for the magnification of lane differences, in the upper left corner of a view. The choice
    also applies to later runs."""

    def __init__(self, view: SceneView | SceneViewGrid, keys: str = "") -> None:
        """Create the box. `keys` is the shortcut shown in the tooltip."""
        texts = {
            power: tr("Magnify {power}", power=format_factor(power)) if power else tr("Magnify: off")
            for power in MAGNIFICATIONS
        }
        super().__init__(texts, tr("Magnify differences between lanes"), parent=view)
        self._view = view
        if isinstance(view, SceneViewGrid):
            view.magnification_changed.connect(self.show_value)
        self._painted_state: object = None
        self._box_pixmap = QPixmap()
        """Cached picture of the box."""
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaxVisibleItems(len(MAGNIFICATIONS))
        tooltip = tr("Magnifies how far the ghosts differ; numbers are unchanged.")
        self.setToolTip(f"{tooltip} ({keys})" if keys else tooltip)
        self.chosen.connect(lambda power: self.set_power(int(str(power))))
        self.show_value(view.magnification)

    def set_power(self, power: int) -> None:
        """Magnify differences by 10^power."""
        power = min(max(power, 0), MAGNIFICATIONS[-1])
        self._view.set_magnification(power)
        self.show_value(power)

    def step(self, count: int) -> None:
        """Raise the exponent of the magnification by `count`, or lower it if `count` is negative."""
        self.set_power(self._view.magnification + count)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint from a cached picture. The scene behind the box changes in every frame, and painting the box anew would
        take as long as painting all text of the view."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        ratio, palette = self.devicePixelRatioF(), self.palette().cacheKey()
        state = (option.state, option.currentText, self.size(), ratio, palette)
        if state != self._painted_state:
            self._painted_state, self._box_pixmap = state, QPixmap(self.size() * ratio)
            self._box_pixmap.setDevicePixelRatio(ratio)
            self._box_pixmap.fill(Qt.GlobalColor.transparent)
            style_painter = QStylePainter(self._box_pixmap, self)
            style_painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
            style_painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
            style_painter.end()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._box_pixmap)
        draw_chevron(self, CHEVRON_INSET)


class OffscreenSceneViews(SceneViewGrid):
    """Views that are painted into images. They have an OpenGL context of their own, so that an image that is too large
    for the context does not affect the window."""

    def __init__(self, theme: Theme, ratio: float) -> None:
        store = ViewStore()
        self._pixel_ratio, self._choices = ratio, Choices(store)
        super().__init__(sequence=lambda: self._choices.option(SEQUENCE_CHOICE), theme=theme, store=store)
        self.setMinimumSize(1, 1)

    def show_run(self, source: ColumnSource, frame: Frame, view_state: ViewState) -> None:
        """Show a frame of a run with a view state. A camera without a stored pose shows the whole scene."""
        self._choices.start(source.info)
        self.start(source)
        self.show_frame(frame)
        self.store.assign(view_state)
        self.refresh()

    def render_image(self, width: int, height: int) -> QImage:
        """Return the current picture as an image of this size [pixels]."""
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._pixel_ratio)
        with QPainter(image) as painter:
            self.render(painter, QPoint())
        image.setDevicePixelRatio(1.0)
        return image

    def close_all(self) -> None:
        """Close all views and delete the widget."""
        self.shutdown()
        self.deleteLater()

    def _create_view(self) -> SceneView:
        view = super()._create_view()
        view.pixel_ratio = self._pixel_ratio
        view.always_antialiased = True
        return view

    def _update_headings(self, frame: Frame) -> None:
        super()._update_headings(frame)
        for view in self.shown_views:
            view.text_overlay.is_active = False


def add_item_toggles(menu: QMenu, scene: SceneView | SceneViewGrid) -> None:
    """Add to a menu a toggle for each scene item that has not failed."""
    stage = scene.stage if isinstance(scene, SceneView) else scene
    for name, item in stage.items.items():
        toggle = partial(scene.set_item_visible, name)
        add_toggle(menu, tr(item.title), stage.is_visible(name), toggle, keeps_open=True)


def add_lane_toggles(menu: QMenu, views: SceneViewGrid) -> None:
    """Add to a menu a toggle for each lane, which shows that lane in the active view. Call this only if each view has one
    lane."""
    view = views.active_view
    for name in (*views.lanes, ALL_LANES) if has_one_lane_per_view(views) else ():
        title, chosen = lane_title(name) or tr("All lanes"), views.lane_of(view) == name
        add_toggle(menu, title, chosen, lambda _, name=name: views.choose_lane(view, name))
    if menu.isEmpty():
        menu.addAction(tr("All lanes")).setEnabled(False)


def has_one_lane_per_view(views: SceneViewGrid) -> bool:
    """Return True if there are several views with one lane each."""
    return views.view_layout.number > 1 and views.view_layout.each


def fill_scene_menu(menu: QMenu, views: SceneViewGrid, registry: ActionRegistry[Any]) -> None:
    """Fill the menu of a view: items, direction, number of views, export."""
    add_item_toggles(menu, views)
    menu.addSeparator()
    registry.add_to_menu(menu, *VIEW_DIRECTIONS, "fit")
    menu.addSeparator()
    registry.add_to_menu(menu, "from_body")
    if has_one_lane_per_view(views):
        add_lane_toggles(menu.addMenu(tr("Lane of this view")), views)
    submenu = menu.addMenu(tr("Views"))
    registry.add_to_menu(submenu, *(f"views_{number}" for number in VIEW_COUNTS))
    submenu.addSeparator()
    registry.add_to_menu(submenu, "each", "link")
    menu.addSeparator()
    registry.add_to_menu(menu, "export_film", "describe")


class SceneMenuButton(IconButton):
    """The button that opens the view menu, in the upper right corner of its view."""

    def __init__(self, view: SceneView, views: SceneViewGrid, action_registry: ActionRegistry[Any]) -> None:
        super().__init__("scene", tr("3D view options"), lambda: self._show_menu(self), parent=view)
        self._view, self._views, self._action_registry = view, views, action_registry
        view.menu_requested.connect(self._show_menu)
        view.installEventFilter(self)
        self._update_position()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._update_position()
        return False

    def _update_position(self) -> None:
        self.resize(self.sizeHint())
        self.move(self._view.width() - self.width() - GRID_UNIT, GRID_UNIT)

    def _show_menu(self, at: QPoint | QWidget) -> None:
        """Open the menu below the button or at a screen position."""
        menu = QMenu(self)
        self._views.activate(self._view)
        fill_scene_menu(menu, self._views, self._action_registry)
        show_menu(menu, at)
