"""Files made from a run, without a window.

- `table.Table`: the run with all lanes side by side; `table_files` reads and writes it in the `formats/`.
- `figures/`: figures for print; begin with `figures.figure`. `exhibit.py` and `documents.py` compute the figures and
  tables of a source document.
- `film/`: length, size and encoding of films. The pictures themselves are drawn by `ui`.
- `web/`: the web page; begin with `web.page`.
"""
