// Plots over time, drawn by uPlot and linked by the one time.

const STRIPE = 14;  // pixels that one lane has where several coincide
const LINE = 1.5;  // pixels that a curve is wide

function panelList() {
  const has = (name) => LANES.some((lane) => lane.has(name));
  const known = (name) => RUN.quantities[name];
  const one = (id, title, unit, curves, more = {}) => ({ id, title, unit, curves, on: true, log: false, ...more });
  const curves = (name, frame = "") => known(name).symbols.map((symbol, component) => ({
    name: name + (frame === "space" ? "_space" : ""), component,
    symbol: frame === "space" ? symbol[0] + " " + "xyz"[component] : symbol,
  }));
  const drifts = RUN.drifts.filter(has);
  const list = [
    one("p", known("p").title, "", () => curves("p"), { together: true }),
    one("angles", known(ANGLES).title, "deg", () => curves(ANGLES), { on: false }),
    one("omega", known("omega").title, "rad/s", (frame) => curves("omega", frame), { frame: "body", together: true }),
    one("h", known("h").title, "kg m²/s", (frame) => curves("h", frame), { frame: "space", together: true, on: false }),
    ...("torque" in RUN.quantities
      ? [one("torque", known("torque").title, "N m", (frame) => curves("torque", frame), { frame: "body", together: true, on: false })] : []),
    one("lam", known("lam").title, "J", () => curves("lam"), { theory: "lam_theory" }),
    one("energy", "Energy", "J", () => [["kinetic", "T"], ["potential", "V"], ["energy", "E"]]
      .map(([name, symbol]) => ({ name, component: 0, symbol })), { on: false }),
    one("drift", "Drift", "", () => drifts.map((name) => ({ name, component: 0, symbol: `|${known(name).symbols[0]}|` })), { log: true }),
    // What the window shows beyond these, as the program describes it.
    ...RUN.plots.map(({ id, title, unit, curves: strips, ...more }) => one(id, title, unit, (frame) => (frame
      ? curves(id, frame) : strips.map(([component, symbol]) => ({ name: id, component, symbol }))), more)),
  ];
  list.sort((one, other) => RUN.order.indexOf(one.id) - RUN.order.indexOf(other.id));
  const first = RUN.first;
  if (list.some(({ id }) => id in first)) for (const panel of list) {
    panel.on = panel.id in first;
    if (panel.on && panel.frame) panel.frame = first[panel.id];
  }
  return list.filter((panel) => panel.curves(panel.frame).some(({ name }) => LANES.some((lane) => lane.series(name, 0))));
}

// On a log axis what arithmetic cannot tell from zero lies along its lower end, which is called round-off then.
const raised = (value, low) => (Math.abs(value) <= RUN.rounding.known ? low : Math.abs(value));

// A number as printed: with minus signs for hyphens.
const minus = (text) => text.replace(/-/g, "−");

function numberText(value, log) {
  if (!Number.isFinite(value)) return "–";
  if (log && !value) return "0";
  const size = Math.abs(value), text = log || (size && (size < 1e-3 || size >= 1e5)) ? value.toExponential(2) : value.toFixed(size < 10 ? 4 : size < 1000 ? 2 : 1);
  return minus(text);
}

// Where curves lie within a pixel of each other they take turns, in stretches of time.
function taking_turns(curves, rows, near, stretch) {
  return curves.map((own, index) => {
    let before = true;
    return Array.from({ length: rows }, (_, row) => {
      const value = own[row];
      if (value === null || value === undefined) return value;
      const group = [];
      curves.forEach((other, k) => { if (k === index || (other[row] != null && near(value, other[row]))) group.push(k); });
      const mine = group[Math.floor(row / stretch) % group.length] === index;
      const drawn = mine || before;
      before = mine;
      return drawn ? value : null;
    });
  });
}

// Whether a curve `line` pixels wide goes up and down so often, somewhere in the `range` of times on a plot `width` by `height`
// pixels with these `ends`, that a broad pale line below it would fill the ground between. The window has the same rule.
function crowded(values, interval, range, ends, width, height, line) {
  const across = width / (range[1] - range[0]), near = RUN.pale.crowded * line;
  const y = Array.from(values, (value) => (height * (value - ends[0])) / (ends[1] - ends[0]));
  const cell = 2 ** Math.ceil(Math.log2((RUN.pale.cell * line) / across)), last = Math.min(range[1], (y.length - 1) * interval);
  for (let from = range[0]; from < last;) {
    const to = Math.min(cell * (Math.floor(from / cell + 1e-9) + 1), last);
    let way = 0, low = Infinity, high = -Infinity;
    for (let row = Math.ceil(from / interval - 1e-9); row * interval < to - 1e-9 * cell; row++) {
      if (!Number.isFinite(y[row])) continue;
      if (Number.isFinite(y[row + 1])) way += Math.abs(y[row + 1] - y[row]);
      low = Math.min(low, y[row]);
      high = Math.max(high, y[row]);
    }
    const up = high - low;
    if (way > 4 * up && way * near > (to - from) * across * up && up > near / 2) return true;
    from = to;
  }
  return false;
}

function makePlots(chooser, place, seek) {
  const panels = panelList();
  let made = [], range = [0, RUN.duration];

  function curvesOf(panel) {
    const lanes = shown(), alone = lanes.length === 1, wanted = panel.curves(panel.frame);
    const colour = (number, count) => look().components[(count === 3 || panel.log ? number + 1 : number) % 4];
    const all = wanted.map((curve, number) => lanes.filter((lane) => lane.series(curve.name, curve.component)).map((lane) => ({
      ...curve, lane, colour: alone && wanted.length > 1 ? colour(number, wanted.length) : laneColour(lane),
      values: lane.series(curve.name, curve.component),
    })));
    const strips = alone && wanted.length > 1 ? [all.flat()] : all;
    return strips.filter((strip) => strip.length);
  }

  function extremes(strip, { log, unit }) {
    let low = Infinity, high = -Infinity;
    for (const { values } of strip)
      for (let value of values) {
        if (log) value = raised(value, RUN.rounding.known);
        if (!Number.isFinite(value)) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    if (low > high) return log ? [1e-16, 1e-9] : [-1, 1];
    if (log) {
      const { known, calm } = RUN.rounding, least = Math.floor(Math.log10(low));
      return [10 ** (least - (low === known)), 10 ** Math.max(Math.ceil(Math.log10(high)), least + 1, Math.ceil(Math.log10(known)) + calm)];
    }
    // Single precision would show its steps below this, or double precision those of a quantity that is zero.
    const least = Math.max(Math.max(Math.abs(low), Math.abs(high)) * 2e-5, (state.sizes[unit] ?? 0) * 1e-9) || 1, pad = Math.max((high - low) * 0.08, least);
    return [low - pad, high + pad];
  }

  // What curves should be: pale and below them, and broader where there is ground between.
  function theoryOf(strip, panel) {
    return panel.theory ? strip.map(({ lane, colour }) => ({ colour, values: lane.series(panel.theory, 0) })).filter(({ values }) => values) : [];
  }

  function dataOf(strip, panel, ends, height, width) {
    const rows = Math.max(...strip.map(({ values }) => values.length)), at = panel.log ? Math.log10 : (x) => x;
    const pixel = (at(ends[1]) - at(ends[0])) / height;
    const plain = strip.map(({ values }) => Array.from({ length: rows }, (_, row) => {
      const value = panel.log ? raised(values[row], ends[0]) : values[row];
      return Number.isFinite(value) ? value : row < values.length ? null : undefined;
    }));
    const stretch = Math.max(2, Math.round((STRIPE * (range[1] - range[0])) / width / RUN.interval));
    const turns = (curves) => (strip.some(({ lane }) => lane !== strip[0].lane)
      ? taking_turns(curves, rows, (a, b) => Math.abs(at(a) - at(b)) <= pixel, stretch) : curves);
    const theories = theoryOf(strip, panel).map(({ values }) => Array.from({ length: rows }, (_, row) => (Number.isFinite(values[row]) ? values[row] : null)));
    const drawn = [...turns(theories), ...turns(plain)];
    // A point without a value between two rows that no line may join.
    const broken = new Set(strip.flatMap(({ lane, name, component }) => lane.breaks[name]?.[component] ?? []));
    const times = [], data = drawn.map(() => []);
    for (let row = 0; row < rows; row++) {
      times.push(row * RUN.interval);
      drawn.forEach((values, k) => data[k].push(values[row]));
      if (!broken.has(row)) continue;
      times.push((row + 0.5) * RUN.interval);
      drawn.forEach((_, k) => {
        const curve = strip[k - theories.length];
        data[k].push(curve?.lane.breaks[curve.name]?.[curve.component]?.includes(row) ? null : undefined);
      });
    }
    return [times, ...data];
  }

  // uPlot's own path joins all points that fall into one column of pixels, across a jump too.
  function path(u, series) {
    const stroke = new Path2D(), [times, values] = [u.data[0], u.data[series]];
    let open = false;
    times.forEach((time, i) => {
      if (values[i] === undefined) return;
      if (values[i] !== null) stroke[open ? "lineTo" : "moveTo"](u.valToPos(time, "x", true), u.valToPos(values[i], "y", true));
      open = values[i] !== null;
    });
    return { stroke, fill: null, clip: null, band: null, gaps: null, flags: 1 };
  }

  function marks(u, strip) {
    const pen = u.ctx, { left, top, width, height } = u.bbox, ratio = devicePixelRatio || 1;
    pen.save();
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    pen.fillStyle = look().muted;
    const ticks = new Set(strip.flatMap(({ lane, name, component }) => lane.breaks[name]?.[component] ?? []));
    for (const row of ticks) pen.fillRect(Math.round(u.valToPos((row + 0.5) * RUN.interval, "x", true)) - 0.5, top + height - 6 * ratio, ratio, 6 * ratio);
    for (const time of RUN.events) pen.fillRect(Math.round(u.valToPos(time, "x", true)), top, ratio, height);
    pen.lineWidth = 2 * ratio;
    for (const { lane, values, colour } of strip) {
      if (lane.alive) continue;
      let row = values.length - 1;
      while (row >= 0 && !Number.isFinite(values[row])) row--;
      if (row < 0) continue;
      const value = u.scales.y.distr === 3 ? raised(values[row], u.scales.y.min) : values[row];
      // When its message says, though what it had then is in no row.
      const last = row * RUN.interval, time = lane.ended > last && lane.ended < last + 1.001 * RUN.interval ? lane.ended : last;
      const x = u.valToPos(time, "x", true), y = u.valToPos(value, "y", true), r = 4 * ratio;
      pen.strokeStyle = colour;
      pen.beginPath();
      for (const s of [-1, 1]) { pen.moveTo(x - r, y - s * r); pen.lineTo(x + r, y + s * r); }
      pen.stroke();
    }
    pen.restore();
  }

  function point(u) {
    let from = null;
    const time = (event) => u.posToVal(event.clientX - u.over.getBoundingClientRect().left, "x");
    u.over.addEventListener("pointerdown", (event) => {
      u.over.setPointerCapture(event.pointerId);
      from = event.shiftKey ? time(event) : null;
      if (from === null) seek(time(event));
    });
    u.over.addEventListener("pointermove", (event) => {
      if (!u.over.hasPointerCapture(event.pointerId)) return;
      if (from === null) return seek(time(event));
      const [a, b] = [u.valToPos(from, "x"), u.valToPos(time(event), "x")].sort((x, y) => x - y);
      u.setSelect({ left: a, width: b - a, top: 0, height: u.over.clientHeight }, false);
    });
    u.over.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const ends = [from, time(event)].sort((x, y) => x - y);
      from = null;
      if (ends[1] - ends[0] > 2 * RUN.interval) { range = ends; build(); } else u.setSelect({ width: 0, height: 0, left: 0, top: 0 }, false);
    });
    u.over.addEventListener("dblclick", () => { range = [0, RUN.duration]; build(); });
  }

  // Plots are higher in a high window; a curve of several below each other is lower than one alone.
  function heightOf(panel, single) {
    const [low, high] = single ? [128, 260] : panel.curves(panel.frame).length > 1 ? [68, 130] : [100, 200];
    return Math.round(Math.min(Math.max(low, (low * innerHeight) / 720), high));
  }

  function draw(strip, panel, ends, box, last, single) {
    const width = Math.max(box.clientWidth, 120), body = heightOf(panel, single);
    const axis = { stroke: look().muted, font: "11px system-ui, sans-serif", grid: { stroke: look().line, width: 0.5 }, ticks: { show: false } };
    const data = dataOf(strip, panel, ends, body, width - 70);
    const u = new uPlot({
      width, height: body + (last ? 28 : 10), legend: { show: false }, padding: [6, 18, last ? 0 : 4, 0],
      cursor: { show: false, drag: { x: false, y: false, setScale: false } },
      scales: { x: { time: false, range: () => range }, y: { distr: panel.log ? 3 : 1, range: () => ends } },
      axes: [
        { ...axis, show: last, size: 22, gap: 2, values: (_, splits) => splits.map((v, i) => (i === splits.length - 1 ? `${+v.toFixed(6)} s` : `${+v.toFixed(6)}`)) },
        { ...axis, size: 62, gap: 4, space: 22, values: panel.log
          ? (_, splits) => splits.map((v) => (v < RUN.rounding.known / 10 ? "round-off" : minus(`1e${Math.round(Math.log10(v))}`)))
          : (_, splits) => splits.map((v) => axisText(v, splits)),
          splits: () => (panel.log ? decades(ends, body) : ticks(ends, body)), filter: (_, splits) => splits },
      ],
      series: [{}, ...theoryOf(strip, panel).map(({ colour, values }) => ({
        stroke: colour, alpha: RUN.pale.opacity, points: { show: false }, paths: path,
        width: LINE * (crowded(values, RUN.interval, range, ends, width - 80, body, LINE) ? 1 : RUN.pale.width),
      })),
        ...strip.map(({ colour }) => ({ stroke: colour, width: LINE, points: { show: false }, paths: path }))],
      hooks: { draw: [(one) => marks(one, strip)] },
    }, data, box);
    const now = document.createElement("div");
    now.className = "now";
    u.over.append(now);
    point(u);
    return { u, now };
  }

  function decades([low, high], height) {
    const a = Math.round(Math.log10(low)), b = Math.round(Math.log10(high)), step = Math.max(1, Math.ceil((b - a) / (height / 22)));
    return Array.from({ length: Math.floor((b - a) / step) + 1 }, (_, i) => 10 ** (a + i * step));
  }

  // Multiples of 1, 2, 2.5 or 5 times a power of ten, with room for a line of text each, but two of them in any case.
  function ticks([low, high], height) {
    const multiples = (step) => {
      const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
      return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
    };
    const steps = (least) => {
      const power = 10 ** Math.floor(Math.log10(least));
      return [1, 2, 2.5, 5, 10, 20].map((factor) => factor * power).filter((step) => step >= least * (1 - 1e-9));
    };
    const roomy = steps((22 * (high - low)) / height)[0], close = steps((12 * (high - low)) / height)[0];
    const wide = multiples(roomy);
    return wide.length > 1 ? wide : multiples(close);
  }

  // The decimals of multiples of a step of one or two digits: two for 0.25, none below the hundreds for 500.
  function stepDecimals(step) {
    const first = -Math.floor(Math.log10(step) + 1e-9), tens = step * 10 ** first;
    return Math.abs(tens - Math.round(tens)) < 1e-6 ? first : first + 1;
  }

  function axisText(value, splits) {
    const step = Math.abs(splits[1] - splits[0]) || 1, size = Math.max(...splits.map(Math.abs)), decimals = stepDecimals(step);
    if (Math.abs(value) < 1e-6 * step) return (0).toFixed(size >= 1e5 || size < 1e-3 ? 0 : Math.max(0, decimals));
    if (size >= 1e5 || size < 1e-3) return minus(value.toExponential(Math.max(1, Math.floor(Math.log10(Math.abs(value)) + 1e-9) + decimals)));
    const text = value.toFixed(Math.max(0, decimals));
    return minus(Number(text) ? text : text.replace("-", ""));
  }

  function chips() {
    const filled = panels.filter((panel) => panel.curves(panel.frame).some(({ name }) => LANES.some((lane) => lane.series(name, 0))));
    chooser.replaceChildren(...filled.map((panel) => {
      const chip = document.createElement("button");
      chip.className = "chip";
      chip.textContent = panel.title;
      chip.setAttribute("aria-pressed", panel.on);
      chip.onclick = () => { panel.on = !panel.on; chips(); build(); };
      return chip;
    }));
  }

  function head(panel) {
    const row = document.createElement("div"), title = document.createElement("h2"), note = document.createElement("span");
    title.textContent = panel.title;
    note.className = "muted";
    note.textContent = panel.unit ? ` [${panel.unit}]` : "";
    title.append(note);
    row.append(title);
    if (panel.frame) {
      const choice = document.createElement("select");
      choice.setAttribute("aria-label", `Frame of ${panel.title}`);
      for (const frame of ["body", "space"]) choice.append(new Option(`${frame} frame`, frame, false, frame === panel.frame));
      choice.onchange = () => { panel.frame = choice.value; build(); };
      row.append(choice);
    } else if (panel.theory) {
      const pale = document.createElement("span");
      pale.className = "muted";
      pale.textContent = "pale: theory";
      row.append(pale);
    }
    return row;
  }

  function readings(strip, panel, single) {
    const row = document.createElement("div");
    row.className = "read";
    if (!single || strip.length === 1) row.append(Object.assign(document.createElement("b"), { textContent: strip[0].symbol + (panel.unit && ` [${panel.unit}]`) }));
    const spans = strip.map((curve) => {
      const span = document.createElement("span");
      span.style.color = curve.colour;
      span.title = `${curve.lane.name}, ${curve.symbol}${panel.unit ? ` [${panel.unit}]` : ""}`;
      row.append(span);
      return span;
    });
    return { row, tell: () => strip.forEach((curve, i) => {
      const value = curve.lane.reading(curve.name, curve.component, state.time);
      const text = numberText(panel.log ? Math.abs(value) : value, panel.log), unit = panel.unit && Number.isFinite(value) ? ` ${panel.unit}` : "";
      spans[i].textContent = single && strip.length > 1 ? `${curve.symbol} ${text}${unit}` : text;
    }) };
  }

  function build() {
    // The height stays while plots are made, so that the page does not jump.
    place.style.minHeight = `${place.clientHeight}px`;
    for (const { u } of made) u.destroy();
    made = [];
    place.replaceChildren();
    for (const panel of panels.filter((one) => one.on)) {
      const strips = curvesOf(panel);
      if (!strips.length) continue;
      const section = document.createElement("section"), single = shown().length === 1;
      section.className = "panel";
      section.append(head(panel));
      place.append(section);
      strips.forEach((strip, i) => {
        const said = readings(strip, panel, single), box = document.createElement("div");
        box.className = "strip";
        section.append(said.row, box);
        made.push({ ...draw(strip, panel, extremes(panel.together ? strips.flat() : strip, panel), box, i === strips.length - 1, single), tell: said.tell });
      });
    }
    if (!made.length) place.textContent = shown().length ? "No plot is chosen." : "No lane is shown.";
    place.style.minHeight = "";
    follow();
  }

  function follow() {
    for (const { u, now, tell } of made) {
      const x = u.valToPos(state.time, "x");
      now.style.transform = `translateX(${x}px)`;
      now.hidden = x < 0 || x > u.over.clientWidth;
      tell();
    }
  }

  let width = 0;
  function resize() {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    build();
  }

  function reset() {
    chips();
    build();
  }

  chips();
  return { build, follow, resize, reset };
}
