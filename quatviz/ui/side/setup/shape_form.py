"""Taking the inertia from the body's shape, and the shape from a mesh file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from quatviz.base.errors import InputError
from quatviz.base.parameters import to_table
from quatviz.base.tr import tr
from quatviz.base.words import refusal_text
from quatviz.document.document import Document
from quatviz.document.state import State
from quatviz.geometry.meshes import SUFFIXES, is_mesh, read_mesh
from quatviz.look.theme import UNIT
from quatviz.ui.kit.widgets import QuietButton, RefusalLabel, column, row
from quatviz.ui.side.setup.parts_form import remade


class ShapeForm(QWidget):
    """Two buttons under the body's form, and below them why one of them could not be done."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.weigh = QuietButton(tr("Inertia from shape"))
        self.weigh.setToolTip(
            tr("Mass and inertia of the shape, from its size and density, or mass where there is no density")
        )
        self.weigh.clicked.connect(self._weigh)
        self.choose = QuietButton(tr("Mesh file…"))
        self.choose.setToolTip(
            tr("Draw the body as an STL, OBJ or GLB file, lengths in metres about its centre of mass")
        )
        self.choose.clicked.connect(self._choose)
        self.problem = RefusalLabel()
        self.setLayout(column(row(self.weigh, self.choose, None), self.problem, gap=UNIT // 2))

    def show_state(self, state: State) -> None:
        """What was refused belongs to the body that was shown."""
        self.problem.hide()

    def take(self, path: Path) -> None:
        """Show the body as the mesh in this file."""

        def make(state: State) -> State:
            read_mesh(path)
            table = {**to_table(state.preset.body), "shape": path.name}
            table.pop("size", None)
            return state.with_preset(body=remade(state.preset.body, table, "body").beside(path.parent))

        self._say(self._document.propose(tr("body: mesh file"), make))

    def _weigh(self) -> None:
        def make(state: State) -> State:
            body, table = state.preset.body, to_table(state.preset.body)
            if is_mesh(body.shape) and body.folder is not None:
                return state.with_preset(body=remade(body, table, "body").of_mesh())
            table.pop("inertia")
            if "density" in table:
                table.pop("mass", None)
            return state.with_preset(body=remade(body, table, "body"))

        self._say(self._document.propose(tr("body: inertia from shape"), make))

    def _choose(self) -> None:
        endings = " ".join(f"*{suffix}" for suffix in SUFFIXES)
        name, _ = QFileDialog.getOpenFileName(
            self, tr("Mesh file"), "", tr("Meshes ({endings})", endings=endings)
        )
        if name:
            self.take(Path(name))

    def _say(self, refusal: InputError | None) -> None:
        if refusal is None:
            self.problem.hide()
        else:
            self.problem.say(refusal_text(refusal, refusal.key), refusal.topic)
