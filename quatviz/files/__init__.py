"""Presets and their text: reading, checking and writing with limits and versions. Nothing in a file can run code.

Begin with `preset.Preset`, the value that describes a run and specifies the file format. `preset_reading` and
`preset_writing` convert it from and to TOML, with the fields that `schema` declares. `preset_files` finds presets by name
or path, `addresses` reads and changes single numbers of a preset, and `limits` bounds every file that is read. `files`
writes all files of the program atomically. Sessions, which add the view state, are in `display.view_state.session`.
"""
