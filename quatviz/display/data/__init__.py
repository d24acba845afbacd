"""Display data of the current run: one frame per tick of the window's timer, and curves that are computed
when they are read.

Terms: a *column* contains the values (n, k) of one quantity of one lane, with one row per sample. To *reduce* a column
means to replace its rows by the extremes of groups of rows (buckets), so that a plot draws only as many points as the
screen can show. A reducer works in two steps: `digest` processes new rows and may run in a background thread, and
`absorb` adds the result to the data that are drawn. A *readout* is a number at the cursor. The *solid* lane is the one
drawn as the body. The other visible lanes are drawn as ghosts, which are translucent copies of the body.
"""
