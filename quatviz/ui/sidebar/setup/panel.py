"""The set-up of a run, section by section: body, initial state, loads, events, times."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import in_words
from quatviz.base.parameters import declared, to_table
from quatviz.base.translation import tr
from quatviz.display.data.frame import Frame, Source
from quatviz.display.document.document import Document
from quatviz.display.document.preset_items import event_family, load_family, remade
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import UNIT
from quatviz.files.preset import Preset, RunSettings, sample_time
from quatviz.files.preset_edits import origin_of, synopses
from quatviz.physics.geometry.meshes import SUFFIXES, is_mesh, read_mesh
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.shapes import SHAPES
from quatviz.simulation.lane_settings import takes_tolerances
from quatviz.ui.sidebar.setup.initial_form import InitialForm
from quatviz.ui.sidebar.setup.items_form import PartsForm
from quatviz.ui.sidebar.setup.section import INSET, Section
from quatviz.ui.widgets.controls import Callout, ChoiceBox, QuietButton, column, held, row, subheading
from quatviz.ui.widgets.form import FIELD_WIDTH, Form, Propose
from quatviz.ui.widgets.style import theme_of


class ShapeForm(QWidget):
    """Two buttons under the body's form, and beside them why one of them could not be done."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        said = tr(
            "Mass and inertia of the shape, from its size and density, or mass where there is no density"
        )
        self.weigh = QuietButton(tr("Inertia from shape"), self._weigh, said)
        said = tr("Draw the body as an STL, OBJ or GLB file, lengths in metres about its centre of mass")
        self.choose = QuietButton(tr("Mesh file…"), self._choose, said)
        self.problem = Callout(self)
        self.setLayout(row(self.weigh, self.choose, None))

    def show_state(self, state: State) -> None:
        """What was refused belongs to the body that was shown."""
        self.problem.say("")

    def take(self, path: Path) -> None:
        """Show the body as the mesh in this file."""

        def make(state: State) -> State:
            read_mesh(path)
            table = {**to_table(state.preset.body), "shape": path.name}
            table.pop("size", None)
            return state.with_preset(body=remade(state.preset.body, table, "body").beside(path.parent))

        self.problem.refuse(self._document.propose(tr("body: mesh file"), make))

    def _weigh(self) -> None:
        def make(state: State) -> State:
            body, table = state.preset.body, to_table(state.preset.body)
            if is_mesh(body.shape) and body.folder is not None:
                return state.with_preset(body=remade(body, table, "body").of_mesh())
            if "size" not in table or not {"density", "mass"} & set(table):
                raise InputError(
                    "Body.size", expected="size and density, or size and mass, to take the inertia from", found="not both of them",
                    remedy="fill in these fields first", key="body.size",
                )  # fmt: skip
            table.pop("inertia")
            if "density" in table:
                table.pop("mass", None)
            return state.with_preset(body=remade(body, table, "body"))

        self.problem.refuse(self._document.propose(tr("body: inertia from shape"), make))

    def _choose(self) -> None:
        endings = " ".join(f"*{suffix}" for suffix in SUFFIXES)
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Mesh file"), "", tr("Meshes ({endings})", endings=endings)
        )
        if name:
            self.take(Path(name))


class SetupPanel(QWidget):
    """Shows the document's preset and proposes others to it."""

    def __init__(self, document: Document, branch_keys: str = "") -> None:
        """`branch_keys`, as a person reads them, let edits begin at the cursor too."""
        super().__init__()
        self._branch_keys = branch_keys
        self._document = document
        self._branching = document.branching
        self._shown: State | None = None
        self._title = ""
        shapes = {name: tr(shape.title) for name, shape in SHAPES.items()}
        body = self._edits("body: {edited}", lambda now, table: {"body": remade(now.body, table, "body")})
        self.body = Form(declared(Body), "body", body, {"shape": shapes})
        self.shape = ShapeForm(document)
        ring = self._edits("ring: {edited}", lambda now, table: {"body": _with_ring(now.body, table)})
        self.ring = Form(declared(Ring), "body.ring", ring)
        self.initial = InitialForm(document)
        self.loads = PartsForm(document, load_family())
        self.events = PartsForm(document, event_family(), self._at_cursor)
        integrators = {name: tr(kind.title) for name, kind in INTEGRATORS.items()}
        run = self._edits("run: {edited}", lambda now, table: {"run": remade(now.run, table, "run")})
        self.run = Form(declared(RunSettings), "run", run, {"integrator": integrators})
        self._ring_room = held(column(subheading(tr("Ring")), self.ring))
        """The form of the ring inside the body, which is seen where there is one."""
        contents: dict[str, QWidget] = {
            "Body": held(column(self.body, self.shape, self._ring_room)), "Initial state": self.initial,
            "Loads": self.loads, "Events": self.events, "Run": self.run,
        }  # fmt: skip
        self.sections = {title: Section(tr(title), content) for title, content in contents.items()}
        self.setLayout(column(self._beginning(), *self.sections.values(), gap=0))
        document.changed.connect(lambda _: self.show_document())
        self._branching.changed.connect(self._follow_branching)
        self.show_document()

    def show_document(self) -> None:
        """Show what runs; what was refused stays, unless this is another preset. Where edits begin at the cursor, that is
        what is in force there."""
        state = self._shown = self._document.seen
        preset = state.preset
        self.body.show_table(to_table(preset.body))
        self._ring_room.setVisible(preset.body.ring is not None)
        if preset.body.ring is not None:
            self.ring.show_table(to_table(preset.body.ring))
        for part in (self.shape, self.initial, self.loads, self.events):
            part.show_state(state)
        self.run.show_table(to_table(preset.run))
        adaptive = any(takes_tolerances(lane.integrator or preset.run.integrator) for lane in preset.lanes)
        for name in ("rtol", "atol"):
            self.run.blocks[name].setVisible(adaptive or getattr(preset.run, name) is not None)
        if preset.title != self._title:
            self._title = preset.title
            for form in (self.body, self.ring, self.initial, self.loads, self.events, self.run):
                form.forget_refusals()
        for title, words in synopses(preset).items():
            self.sections[title].heading.say(words)
        origin = origin_of(preset) or preset
        self.body.compare(to_table(origin.body))
        self.run.compare(to_table(origin.run))
        self.initial.compare(origin)
        self.loads.compare(origin.loads)
        self.events.compare(origin.events)

    def start(self, source: Source) -> None:
        """A run begins."""

    def show_frame(self, frame: Frame) -> None:
        """The cursor may be where something else is in force."""
        if self._branching.on and self._document.seen != self._shown:
            self.show_document()

    def _beginning(self) -> QHBoxLayout:
        """From where on edits of body, loads and dt hold."""
        begins = {False: tr("from the start"), True: tr("from the cursor")}
        self.beginning = ChoiceBox(begins, tr("Edits begin"))
        tip = tr(
            "Body, loads, time step and the lanes’ steps, stabilisation and J₀ change from the start of the run, or from the "
            "cursor on, where the run branches off; another formulation or integrator is then a lane beside. What is dragged in 3D "
            "holds from the cursor on in either case"
        )
        self.beginning.setToolTip(f"{tip} ({self._branch_keys})" if self._branch_keys else tip)
        self.beginning.setFixedWidth(theme_of(self).pixels(FIELD_WIDTH))
        self.beginning.chosen.connect(lambda on: self._branching.set_on(bool(on)))
        return row((QLabel(tr("Edits hold")), 1), self.beginning, margins=(INSET, 0, INSET, UNIT))

    def _follow_branching(self) -> None:
        self.beginning.show_value(self._branching.on)
        self.show_document()

    def _at_cursor(self) -> dict[str, float]:
        return {"at": sample_time(self._document.clock(), self._document.state.preset)}

    def _edits(self, said: str, make: Callable[[Preset, dict[str, Any]], dict[str, Any]]) -> Propose:
        """What a form does with its table: `make` says which fields of the preset are others then, `said` what the step is
        called."""
        return lambda table, edited, goes_on: self._document.propose(
            tr(said, edited=in_words(edited)),
            lambda state: state.with_preset(**make(state.preset, table)),
            goes_on,
        )


def _with_ring(body: Body, ring: dict[str, Any]) -> Body:
    """A body with another ring, said by its table."""
    made: Body = remade(body, {**to_table(body), "ring": ring}, "body")
    return made
