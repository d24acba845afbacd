"""One, two or four 3D views beside each other, with their cameras, lanes, items and the magnification of differences."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from quatviz.base.formatting import factor_text
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source, drawn, of_lane
from quatviz.display.scene.base import SceneItem
from quatviz.display.view_state.camera import DIRECTIONS, Change, Stance
from quatviz.display.view_state.choices import SEQUENCE, Choices
from quatviz.display.view_state.line_styles import lane_line
from quatviz.display.view_state.theme import UNIT, Theme
from quatviz.display.view_state.view_layout import ALL, NUMBERS, Plan
from quatviz.display.view_state.view_state import MAGNIFICATIONS, Look
from quatviz.physics.formulations import lane_title
from quatviz.ui.scene.scene_image import Shared
from quatviz.ui.scene.scene_view import Grip, SceneView
from quatviz.ui.scene.text_overlay import Line
from quatviz.ui.widgets.actions import Acts, add_toggle, pop_up
from quatviz.ui.widgets.controls import CHEVRON, TARGET, ChoiceBox, IconButton, draw_chevron
from quatviz.ui.widgets.style import Themed, wear


def tiles(number: int, width: int, height: int, gap: int) -> list[QRect]:
    """1, 2 or 4 rectangles that fill an area, `gap` pixels apart; two of them as near to squares as can be."""
    columns, rows = {1: (1, 1), 4: (2, 2)}.get(number, (2, 1) if width > height else (1, 2))
    across, down = _parts(columns, width, gap), _parts(rows, height, gap)
    return [QRect(x, y, w, h) for y, h in down for x, w in across]


def _parts(count: int, length: int, gap: int) -> list[tuple[int, int]]:
    """Beginning and length of each part."""
    whole = length - gap * (count - 1)
    starts = [whole * part // count for part in range(count + 1)]
    return [(starts[part] + gap * part, starts[part + 1] - starts[part]) for part in range(count)]


_MISSING = "lanes"
"""Key of the legend's line that counts the lanes where no view shows some of them."""


class Views(Themed, QWidget):
    """Hands every frame to its views, each with the lanes that it shows. A view is made when it is first wanted; one
    that is not wanted any more keeps its camera but lets go of its graphics.
    Items and the magnification of differences are the same in all views. The first view lasts as long as the area.
    """

    follows_setting = True
    problem = Signal(str)
    changed = Signal()
    """Number, active view, lanes, frames or link of the views."""

    def __init__(
        self,
        parent: QWidget | None = None,
        kinds: Iterable[type[SceneItem]] | None = None,
        acts: Acts[Any] | None = None,
        sequence: Callable[[], str] = lambda: "321",
        theme: Theme | None = None,
    ) -> None:
        """`acts` are those of the window, for the menus behind the buttons; without them there are no buttons. `sequence` is that
        of the Euler angles that a person has chosen; `theme` another one than that of the window."""
        super().__init__(parent)
        if theme is not None:
            wear(self, theme)
        self._acts = acts
        self.plan = Plan()
        self.active = self.magnification = 0
        """Place of the view that keys act on, and the power of ten by which differences are enlarged."""
        self._kinds = None if kinds is None else tuple(kinds)
        self.shared = Shared()
        """What all of them draw with."""
        self._views: list[SceneView] = []
        self._control: QWidget | None = None
        self._source: Source | None = None
        self._started: set[SceneView] = set()
        """Those that know of the present run."""
        self._frame: Frame | None = None
        self.out_of_line = False
        """Whether linked cameras have yet to come together."""
        self._told: set[str] = set()
        self._turned = ""
        """The sequence of Euler angles that a hand turns."""
        self._sequence = lambda: self._turned or sequence()
        self._grip: Grip | None = None
        self.setMinimumSize(28 * UNIT, 240)
        self._make()

    # --- which views there are

    @property
    def first(self) -> SceneView:
        """The view that is always there."""
        return self._views[0]

    @property
    def current(self) -> SceneView:
        """The view that keys act on."""
        return self._views[self.active]

    @property
    def shown(self) -> tuple[SceneView, ...]:
        """The views that are to be seen."""
        return tuple(self._views[: self.plan.number])

    def set_number(self, number: int) -> None:
        """Show one, two or four views."""
        if number in NUMBERS:
            self.arrange(replace(self.plan, number=number))

    def set_each(self, on: bool) -> None:
        """One lane for each view, or all lanes in every view."""
        self.arrange(replace(self.plan, each=on))

    def set_linked(self, on: bool) -> None:
        """Let the cameras do the same from now on, beginning where the active one is; or each its own."""
        self.arrange(replace(self.plan, linked=on))

    def arrange(self, plan: Plan) -> None:
        """Show this."""
        self.plan = plan
        self.out_of_line = plan.linked
        self._apply()

    def activate(self, view: SceneView) -> None:
        """Let keys act on this view."""
        self.active = self._views.index(view)
        self._apply()

    def activate_next(self) -> None:
        """Let keys act on the next view."""
        self.activate(self.shown[(self.active + 1) % self.plan.number])

    def choose_lane(self, view: SceneView, name: str | None) -> None:
        """Show this lane here, or `ALL`, or None for the next in order; another view that showed it takes what is left."""
        self.plan = self.plan.with_lane(self._views.index(view) + 1, name)
        self._apply()

    def lane_of(self, view: SceneView) -> str:
        """The lane that this view shows, or `ALL`."""
        return self._names()[self._views.index(view)]

    @property
    def lanes(self) -> tuple[str, ...]:
        """Names of the lanes of the run."""
        return self._source.info.lanes if self._source is not None else ()

    def set_from_body(self, on: bool) -> None:
        """Let the camera of the active view turn with the body, or stand in space."""
        self.plan = self.plan.seen_from(self.active + 1, on)
        self.current.set_from_body(on)
        self._apply()

    # --- what all of them do

    def start(self, source: Source) -> None:
        """A run begins. Views that are hidden let go of the last one."""
        self._source, self._frame = source, None
        self._started.clear()
        for view in self._views:
            if view in self.shown:
                self._introduce(view)
            else:
                view.forget()

    def prepare_frame(self, frame: Frame) -> None:
        """Begin to draw this frame. Views never take turns: lanes that agree would seem to differ by a frame's turn."""
        self._frame, frame = frame, frame if self._grip is None else self._grip.drafted(frame)
        self._tell_views(frame)
        if self.out_of_line:
            self._line_up(frame)
        for view, name in zip(self.shown, self.plan.shown(drawn(frame)), strict=True):
            view.prepare_frame(frame if name == ALL else of_lane(frame, name))

    def show_frame(self, frame: Frame) -> None:
        """Show this frame."""
        if frame is not self._frame:
            self.prepare_frame(frame)
        for view in self.shown:
            view.present()

    def set_grip(self, grip: Grip) -> None:
        """Let this take drags away from the cameras."""
        self._grip = grip
        for view in self._views:
            view.grip = grip

    def show_draft(self) -> None:
        """Show the last frame as a hand has it."""
        frame, self._frame = self._frame, None
        if frame is not None:
            self.show_frame(frame)

    def propose(self, name: str, vector: np.ndarray | None) -> None:
        """Let the item `name` draw a vector (3,) [space, body radii] that is being chosen, or no more."""
        for view in self._views:
            view.stage.proposed.pop(name, None)
            if vector is not None:
                view.stage.proposed[name] = vector
            view.renew()

    def turn_rings(self, sequence: str) -> None:
        """Show the gimbal rings of this sequence while a hand turns its angles; empty when it has let go."""
        self._turned = sequence
        for view in self._views:
            view.stage.lent = ("gimbals",) if sequence else ()
            view.redraw()
        self.renew()

    def renew(self) -> None:
        """Show the last frame anew."""
        for view in self.shown:
            view.renew()

    def follow_theme(self) -> None:
        self._apply()
        QTimer.singleShot(0, self, self._place)  # when the control has followed too

    def fit(self) -> None:
        """Show everything, in all views whose cameras are linked."""
        for view in self._moving:
            view.fit()

    def look(self, name: str) -> None:
        """Look from one of `DIRECTIONS`, each view in its own frame."""
        for view in self._moving:
            view.look(name)

    def set_magnification(self, power: int) -> None:
        """Draw differences of the lanes 10^power times as large, where several are seen."""
        self.magnification = power
        self._apply()

    def host(self, control: QWidget) -> None:
        """Let `control`, a child of this area, stand in the upper left corner of the first view where it has an effect:
        where several lanes are seen."""
        self._control = control
        self._apply()

    @property
    def items(self) -> dict[str, type[SceneItem]]:
        """The items that work, by name."""
        return self.first.stage.items

    def shows(self, name: str) -> bool:
        """Whether an item is to be seen."""
        return self.first.stage.shows(name)

    def set_item_visible(self, name: str, visible: bool) -> None:
        """Show or hide an item in all views."""
        for view in self._views:
            view.set_item_visible(name, visible)

    @property
    def wanted(self) -> dict[str, bool]:
        """Which items a person wants to see, or not."""
        return self.first.stage.wanted

    def set_highlight(self, quantity: str) -> None:
        """Let the arrow of this quantity stand out in all views."""
        for view in self._views:
            view.set_highlight(quantity)

    def show_items(self, wanted: Mapping[str, bool]) -> None:
        """Show and hide items in all views as a person wants them; the others as at a first start."""
        for view in self._views:
            view.show_items(wanted)

    def dress(self, look: Look) -> None:
        """Show the lanes, items and differences that a look has, from where it looks."""
        self.magnification = look.magnification
        self.show_items(look.items)
        self.arrange(look.views)
        self.stand(look.cameras)
        if not look.cameras:
            self.fit()

    def stand(self, stances: Mapping[int, Stance]) -> None:
        """Let the cameras of views stand there, by the numbers of the views; the others stay."""
        for number, view in enumerate(self.shown, 1):
            if number in stances:
                self.out_of_line = False  # linked ones need not come together: they stood somewhere before
                view.camera.stand(stances[number], view.aspect)
                view.redraw()

    def shutdown(self) -> None:
        """Close all views; with the last one the context goes."""
        for view in self._views:
            view.shutdown()

    # --- Qt

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    # --- inside

    @property
    def _moving(self) -> tuple[SceneView, ...]:
        return self.shown if self.plan.linked else (self.current,)

    def _make(self) -> SceneView:
        place = len(self._views)
        view = SceneView(
            self,
            self._kinds,
            self.shared,
            self._sequence,
            lambda: [line for before in self._views[:place] for line in before.legend],
        )
        view.setAccessibleName(tr("3D view {place}", place=place + 1) if place else tr("3D view"))
        view.grip = self._grip
        view.problem.connect(self._report)
        view.touched.connect(lambda: self.activate(view))
        view.moved.connect(lambda change: self._move_others(view, change))
        if self._views:
            view.show_items(self.wanted)
        self._views.append(view)
        if self._acts is not None:
            SceneButton(view, self, self._acts)
        return view

    def _introduce(self, view: SceneView) -> None:
        """Tell it of the present run."""
        if self._source is not None and view not in self._started:
            fresh = view.stage.shape is None
            view.start(self._source)
            self._started.add(view)
            if fresh:
                view.follow(self.current)

    def _apply(self) -> None:
        """Show what the plan says."""
        while len(self._views) < self.plan.number:
            self._make()
        self.active = min(self.active, self.plan.number - 1)
        self._place()
        for place, view in enumerate(self._views):
            wanted = place < self.plan.number
            if not wanted and not view.isHidden():
                view.rest()
            view.setVisible(wanted)
        if self._control is not None:
            self._control.raise_()
        for view in self.shown:
            self._introduce(view)
        if self._frame is not None:
            self.prepare_frame(self._frame)
        for view in self.shown:
            view.redraw()
        self.changed.emit()

    def _names(self) -> list[str]:
        """The lane of each view, or `ALL`."""
        return self.plan.shown(drawn(self._frame)) if self._frame is not None else [ALL] * self.plan.number

    def _place(self) -> None:
        names = self._names()
        places = tiles(self.plan.number, self.width(), self.height(), UNIT)
        for view, place in zip(self.shown, places, strict=True):
            view.setGeometry(place)
        self._place_control(names)

    def _tell_views(self, frame: Frame) -> None:
        """The frame and the heading of each view, before it draws."""
        names, from_body = self.plan.shown(drawn(frame)), self.plan.seen_from_body(drawn(frame))
        colours = {lane.name: lane.colour for lane in frame.lanes}
        for place, (view, name, on) in enumerate(zip(self.shown, names, from_body, strict=True)):
            if view.from_body != on:
                view.set_from_body(on)
            power = self.magnification if name == ALL else 0
            if view.stage.magnification != power:
                view.set_magnification(power)
            heading: list[Line] = []
            if name in colours:
                heading.append(lane_line(self.theme, name, colours[name]))
            elif any(names):
                heading.append((tr("All lanes"), self.theme.text))
            if len(set(from_body)) > 1 or (on and heading):
                heading.append((tr("seen from the body") if on else tr("seen from space"), self.theme.muted))
            words = view.words
            words.heading, words.active = tuple(heading), self.plan.number > 1 and place == self.active
        self._place_control(names)
        seen, of = self.plan.counts(drawn(frame))
        text = tr("{seen} of {of} lanes, chosen in each view’s menu", seen=seen, of=of) if seen < of else ""
        self.first.stage.set_corner(_MISSING, text, self.theme.muted)

    def _place_control(self, names: list[str]) -> None:
        """In the corner of the first view with several lanes."""
        if self._control is None:
            return
        place = names.index(ALL) if ALL in names else -1
        if place >= 0:  # beside the button in the other corner
            room, hint = self.shown[place].geometry().adjusted(UNIT, UNIT, 0, 0), self._control.sizeHint()
            wide = min(hint.width(), room.width() - self.theme.pixels(TARGET) - 2 * UNIT)
            self._control.setGeometry(room.x(), room.y(), wide, hint.height())
        for other, view in enumerate(self.shown):
            size = self._control.size() + QSize(UNIT, UNIT)
            view.words.inset = size if other == place else QSize(0, 0)
        self._control.setVisible(place >= 0)

    def _line_up(self, frame: Frame) -> None:
        """Let linked cameras begin where the active one is; of more than two alike the others look from above."""
        self.out_of_line = False
        for view, again in zip(self.shown, self.plan.repeated(drawn(frame)), strict=True):
            if view is not self.current:
                view.follow(self.current)
                if again:
                    view.look("top")

    def _move_others(self, view: SceneView, change: Change) -> None:
        if self.plan.linked:
            for other in self.shown:
                if other is not view:
                    other.move_camera(change)

    def _report(self, sentence: str) -> None:
        """Once, though every view may have met the same."""
        if sentence not in self._told:
            self._told.add(sentence)
            self.problem.emit(sentence)


class Magnifier(ChoiceBox):
    """Stands in the upper left corner of the (first) view. What is chosen holds for every run until it is changed."""

    def __init__(self, view: SceneView | Views, keys: str = "") -> None:
        """`keys` step it, as a person reads them."""
        texts = {power: tr("Differences {power}", power=factor_text(power)) for power in MAGNIFICATIONS}
        super().__init__(texts, tr("Differences in the 3D view"), parent=view)
        self._view = view
        self._look: object = None
        self._box = QPixmap()
        """The box as it looks now."""
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaxVisibleItems(len(MAGNIFICATIONS))
        tip = tr("How much larger the ghosts' rotation away from the body is drawn than it is. Numbers stay.")
        self.setToolTip(f"{tip} ({keys})" if keys else tip)
        self.chosen.connect(lambda power: self.set_power(int(str(power))))

    def set_power(self, power: int) -> None:
        """Draw differences 10^power times as large."""
        power = min(max(power, 0), MAGNIFICATIONS[-1])
        self.show_value(power)
        self._view.set_magnification(power)

    def step(self, by: int) -> None:
        """That many powers of ten more."""
        self.set_power(int(str(self.value)) + by)

    def paintEvent(self, event: QPaintEvent) -> None:
        """It lies over a picture that changes in every frame, and Qt's box takes as long to paint as all words of the view: it
        is drawn once."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        ratio, palette = self.devicePixelRatioF(), self.palette().cacheKey()
        look = (option.state, option.currentText, self.size(), ratio, palette)
        if look != self._look:
            self._look, self._box = look, QPixmap(self.size() * ratio)
            self._box.setDevicePixelRatio(ratio)
            self._box.fill(Qt.GlobalColor.transparent)
            box = QStylePainter(self._box, self)
            box.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
            box.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
            box.end()
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._box)
        draw_chevron(self, CHEVRON)


class PaintedViews(Views):
    """The views off the screen, to be painted into pictures: so many device pixels a logical one, without what only a hand
    needs. They draw in a context of their own: a picture that is too large for it does no harm to the window."""

    def __init__(self, theme: Theme, ratio: float) -> None:
        self._ratio, self._choices = ratio, Choices()
        super().__init__(sequence=lambda: self._choices.option(SEQUENCE), theme=theme)
        self.setMinimumSize(1, 1)

    def begin(self, source: Source, frame: Frame, look: Look) -> None:
        """Show a frame of this run as `look` has it; everything whole where it says of no camera where it stands."""
        self._choices.start(source.info)
        self._choices.show(look.options, look.difference, look.reference)
        self.start(source)
        self.show_frame(frame)
        self.dress(look)

    def picture(self, width: int, height: int) -> QImage:
        """What they show now, of this size [pixels]."""
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(self._ratio)
        with QPainter(image) as painter:
            self.render(painter, QPoint())
        image.setDevicePixelRatio(1.0)
        return image

    def close_all(self) -> None:
        """Let go of everything."""
        self.shutdown()
        self.deleteLater()

    def _make(self) -> SceneView:
        view = super()._make()
        view.ratio = self._ratio
        return view

    def _tell_views(self, frame: Frame) -> None:
        super()._tell_views(frame)
        for view in self.shown:
            view.words.active = False


def fill_items(menu: QMenu, scene: SceneView | Views) -> None:
    """The toggles of all items that work."""
    stage = scene.stage if isinstance(scene, SceneView) else scene
    for name, item in stage.items.items():
        add_toggle(menu, tr(item.title), stage.shows(name), partial(scene.set_item_visible, name))


def fill_lanes(menu: QMenu, views: Views) -> None:
    """Which lane the active view shows, where each view shows one."""
    view = views.current
    for name in (*views.lanes, ALL) if shows_one_each(views) else ():
        title, chosen = lane_title(name) or tr("All lanes"), views.lane_of(view) == name
        add_toggle(menu, title, chosen, lambda _, name=name: views.choose_lane(view, name))
    if menu.isEmpty():
        menu.addAction(tr("All lanes")).setEnabled(False)


def shows_one_each(views: Views) -> bool:
    """Whether there are several views, each of one lane."""
    return views.plan.number > 1 and views.plan.each


def fill_all(menu: QMenu, views: Views, acts: Acts[Any]) -> None:
    """What is drawn, from where, and in how many views."""
    fill_items(menu, views)
    menu.addSeparator()
    acts.add(menu, *DIRECTIONS, "fit")
    menu.addSeparator()
    acts.add(menu, "from_body")
    if shows_one_each(views):
        fill_lanes(menu.addMenu(tr("Lane of this view")), views)
    several = menu.addMenu(tr("Views"))
    acts.add(several, *(f"views_{number}" for number in NUMBERS))
    several.addSeparator()
    acts.add(several, "each", "link")


class SceneButton(IconButton):
    """Opens the menu of all views, for this one; it keeps to the view's upper right corner."""

    def __init__(self, view: SceneView, views: Views, acts: Acts[Any]) -> None:
        super().__init__("scene", tr("What is drawn, and from where"), self._open, parent=view)
        self._view, self._views, self._acts = view, views, acts
        view.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        self.resize(self.sizeHint())
        self.move(self._view.width() - self.width() - UNIT, UNIT)

    def _open(self) -> None:
        menu = QMenu(self)
        self._views.activate(self._view)
        fill_all(menu, self._views, self._acts)
        pop_up(menu, self)
