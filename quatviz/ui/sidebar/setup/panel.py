"""Set-up of a run in sections: body, initial state, loads, events and run settings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from quatviz.base.errors import InputError
from quatviz.base.formatting import humanize
from quatviz.base.parameters import parameters_of, to_table
from quatviz.base.translation import tr
from quatviz.display.data.frame import ColumnSource, Frame
from quatviz.display.document.document import Document
from quatviz.display.document.preset_items import event_family, load_family, rebuild, rotor_family
from quatviz.display.document.state import State
from quatviz.display.view_state.theme import GRID_UNIT
from quatviz.files.preset import Preset, RunSettings, sample_time
from quatviz.files.preset_edits import find_origin, summarize_sections
from quatviz.physics.geometry.meshes import MESH_SUFFIXES, is_mesh, read_mesh
from quatviz.physics.integrators import INTEGRATORS
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.ring import Ring
from quatviz.physics.shapes import SHAPES
from quatviz.simulation.lane_settings import is_adaptive
from quatviz.ui.sidebar.setup.initial_form import InitialForm
from quatviz.ui.sidebar.setup.items_form import ItemsForm
from quatviz.ui.sidebar.setup.lane_loads_form import LaneLoadsForm
from quatviz.ui.sidebar.setup.section import INSET, FoldableSection
from quatviz.ui.widgets.buttons import QuietButton
from quatviz.ui.widgets.choice_box import ChoiceBox
from quatviz.ui.widgets.file_dialogs import ask_open_path
from quatviz.ui.widgets.form import FIELD_WIDTH, ParameterForm, ProposeTable
from quatviz.ui.widgets.inline_message import InlineMessage
from quatviz.ui.widgets.labels import subheading
from quatviz.ui.widgets.layouts import column, row, wrap_layout
from quatviz.ui.widgets.style import theme_of


class ShapeForm(QWidget):
    """Buttons that compute the inertia from the shape and load a mesh file. If the inertia cannot be computed
    or the file is refused, the reason is shown below the buttons."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        tooltip = tr(
            "Compute mass and inertia from the size and density of the shape or, without a density, the inertia from size and "
            "mass"
        )
        self.inertia_button = QuietButton(
            tr("Compute inertia from shape"), self._set_inertia_from_shape, tooltip
        )
        tooltip = tr(
            "Load the shape from an STL, OBJ or GLB file, whose coordinates are in meters and have the center of mass as origin"
        )
        self.mesh_button = QuietButton(tr("Mesh file…"), self._ask_mesh_file, tooltip)
        self.problem = InlineMessage(self.mesh_button)
        buttons = row(self.inertia_button, self.mesh_button, None)
        self.setLayout(column(buttons, self.problem.space, gap=0))

    def show_state(self, state: State) -> None:
        """Hide the refusal, which belongs to the body shown before."""
        self.problem.show_message("")

    def load_mesh(self, path: Path) -> None:
        """Give the body the shape of the mesh in this file, or show why the file is refused."""

        def make(state: State) -> State:
            read_mesh(path)
            table = {**to_table(state.preset.body), "shape": path.name}
            table.pop("size", None)
            return state.with_preset(body=rebuild(state.preset.body, table, "body").with_folder(path.parent))

        self.problem.show_refusal(self._document.propose(tr("body: shape from mesh file"), make))

    def _set_inertia_from_shape(self) -> None:
        def make(state: State) -> State:
            body, table = state.preset.body, to_table(state.preset.body)
            if is_mesh(body.shape) and body.folder is not None:
                return state.with_preset(body=rebuild(body, table, "body").with_mesh_inertia())
            if "size" not in table or not {"density", "mass"} & set(table):
                raise InputError(
                    "Body.size", expected="size and density, or size and mass, to compute the inertia", found="not both of them",
                    remedy="fill in these fields first", key="body.size",
                )  # fmt: skip
            table.pop("inertia")
            if "density" in table:
                table.pop("mass", None)
            return state.with_preset(body=rebuild(body, table, "body"))

        self.problem.show_refusal(self._document.propose(tr("body: inertia from shape"), make))

    def _ask_mesh_file(self) -> None:
        endings = " ".join(f"*{suffix}" for suffix in MESH_SUFFIXES)
        path = ask_open_path(self, tr("Mesh file"), "mesh", tr("Meshes ({endings})", endings=endings))
        if path is not None:
            self.load_mesh(path)


class SetupPanel(QWidget):
    """Panel that shows the document's preset in forms. An edit in a form proposes an edited preset to the document."""

    def __init__(self, document: Document, branch_keys: str = "") -> None:
        """Build the panel. `branch_keys` is the shortcut of the option “Apply edits: at the cursor”, which a tooltip
        shows."""
        super().__init__()
        self._branch_keys = branch_keys
        self._document = document
        self._branching = document.branching
        self._shown_state: State | None = None
        self._title = ""
        shapes = {name: tr(shape.title) for name, shape in SHAPES.items()}
        body = self._make_proposer(
            "body: {edited}", lambda preset, table: {"body": rebuild(preset.body, table, "body")}
        )
        self.body = ParameterForm(parameters_of(Body), "body", body, {"shape": shapes})
        self.shape = ShapeForm(document)
        ring = self._make_proposer(
            "ring: {edited}", lambda preset, table: {"body": _with_ring(preset.body, table)}
        )
        self.ring = ParameterForm(parameters_of(Ring), "body.ring", ring)
        self.rotors = ItemsForm(document, rotor_family())
        self.initial = InitialForm(document)
        self.loads = ItemsForm(document, load_family())
        self.lane_loads = LaneLoadsForm(document)
        self.loads.lane_added.connect(self.lane_loads.show_last_lane)
        self.events = ItemsForm(document, event_family(), self._cursor_defaults)
        integrators = {name: tr(integrator.title) for name, integrator in INTEGRATORS.items()}
        run = self._make_proposer(
            "run: {edited}", lambda preset, table: {"run": rebuild(preset.run, table, "run")}
        )
        self.run = ParameterForm(parameters_of(RunSettings), "run", run, {"integrator": integrators})
        self._ring_section = wrap_layout(column(subheading(tr("Ring")), self.ring))
        """Form of the ring inside the body, visible if the body has a ring."""
        rotors = column(subheading(tr("Rotors")), self.rotors, gap=GRID_UNIT)
        contents: dict[str, QWidget] = {
            "Body": wrap_layout(column(self.body, self.shape, self._ring_section, rotors)), "Initial state": self.initial,
            "Loads": wrap_layout(column(self.loads, self.lane_loads)), "Events": self.events, "Run": self.run,
        }  # fmt: skip
        self.sections = {title: FoldableSection(tr(title), content) for title, content in contents.items()}
        self.setLayout(column(self._make_edit_start_row(), *self.sections.values(), gap=0))
        document.changed.connect(lambda _: self.show_document())
        self._branching.changed.connect(self._follow_branching)
        self.show_document()

    def show_document(self) -> None:
        """Show the document's preset. If edits apply at the cursor, show the settings that are in force at the cursor
        instead.

        Messages about refused input stay until another preset is shown.
        """
        state = self._shown_state = self._document.state_at_edit_time
        preset = state.preset
        self.body.show_table(to_table(preset.body))
        self._ring_section.setVisible(preset.body.ring is not None)
        if preset.body.ring is not None:
            self.ring.show_table(to_table(preset.body.ring))
        for part in (self.shape, self.rotors, self.initial, self.loads, self.lane_loads, self.events):
            part.show_state(state)
        self.run.show_table(to_table(preset.run))
        adaptive = any(is_adaptive(lane.integrator or preset.run.integrator) for lane in preset.lanes)
        for name in ("rtol", "atol"):
            self.run.rows[name].setVisible(adaptive or getattr(preset.run, name) is not None)
        if preset.title != self._title:
            self._title = preset.title
            forms = (
                self.body,
                self.ring,
                self.rotors,
                self.initial,
                self.loads,
                self.lane_loads,
                self.events,
                self.run,
            )
            for form in forms:
                form.forget_refusals()
        for title, words in summarize_sections(preset).items():
            self.sections[title].heading.set_synopsis(words)
        origin = find_origin(preset) or preset
        self.body.compare(to_table(origin.body))
        self.rotors.compare(origin.body.rotors)
        self.run.compare(to_table(origin.run))
        self.initial.compare(origin)
        self.loads.compare(origin.loads)
        self.lane_loads.compare(origin)
        self.events.compare(origin.events)

    def start(self, source: ColumnSource) -> None:
        """Do nothing, since forms do not depend on the results of a run."""

    def show_frame(self, frame: Frame) -> None:
        """Update the forms if edits apply at the cursor and other settings are in force there than before, because of
        an event."""
        if self._branching.is_enabled and self._document.state_at_edit_time != self._shown_state:
            self.show_document()

    def _make_edit_start_row(self) -> QHBoxLayout:
        """Return the row that selects whether edits of body, loads and time step apply from the start or at the cursor."""
        choices = {False: tr("from the start"), True: tr("at the cursor")}
        self.edit_start_box = ChoiceBox(choices, tr("Apply edits"))
        tooltip = tr(
            "Choose where edits take effect. From the start: the whole run is computed again. At the cursor: the run continues "
            "from the cursor with the new values. This holds for the body, the loads and the time step, and for a lane’s step, "
            "stabilization and J₀. Another formulation or integrator at the cursor becomes a new lane. Dragging in 3D always "
            "applies at the cursor"
        )
        self.edit_start_box.setToolTip(f"{tooltip} ({self._branch_keys})" if self._branch_keys else tooltip)
        self.edit_start_box.setFixedWidth(theme_of(self).scaled_pixels(FIELD_WIDTH))
        self.edit_start_box.chosen.connect(lambda on: self._branching.set_enabled(bool(on)))
        return row((QLabel(tr("Apply edits")), 1), self.edit_start_box, margins=(INSET, 0, INSET, GRID_UNIT))

    def _follow_branching(self) -> None:
        self.edit_start_box.show_value(self._branching.is_enabled)
        self.show_document()

    def _cursor_defaults(self) -> dict[str, float]:
        return {"at": sample_time(self._document.clock(), self._document.state.preset)}

    def _make_proposer(
        self, step_text: str, make: Callable[[Preset, dict[str, Any]], dict[str, Any]]
    ) -> ProposeTable:
        """Return the function that a form calls to propose its values to the document.

        `make` returns the changed fields of the preset; `step_text` names the edit in the undo menu.
        """
        return lambda table, edited, coalesce: self._document.propose(
            tr(step_text, edited=humanize(edited)),
            lambda state: state.with_preset(**make(state.preset, table)),
            coalesce,
        )


def _with_ring(body: Body, ring: dict[str, Any]) -> Body:
    """Return a copy of the body with a ring. `ring` has the parameters of the ring by name."""
    made: Body = rebuild(body, {**to_table(body), "ring": ring}, "body")
    return made
