"use strict";
// A map, a diagram or a section of a sweep, and what is under the pointer. All that it says was put into words before.
(function () {
  const chart = JSON.parse(document.getElementById("chart").textContent);
  const canvas = document.getElementById("map"), pen = canvas.getContext("2d");
  const said = document.getElementById("said");
  const LEFT = 84, TOP = 14, FOOT = 52, RAMP = 12 + 18;
  const [across, up] = chart.axes;
  let cell = null, box = null;

  for (const id of ["title", "about", "settings", "preset"]) document.getElementById(id).textContent = chart[id];

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colour = (share) => {
    const rgb = chart.colours[Math.min(Math.max(Math.floor(share * chart.colours.length), 0), chart.colours.length - 1)];
    return `rgb(${rgb.join(",")})`;
  };
  const share = (value) => ((chart.scale.log ? Math.log10(value) : value) - chart.scale.low) / (chart.scale.high - chart.scale.low);
  const x = (at) => box.left + ((at - across.low) / (across.high - across.low)) * box.width;
  const y = (at) => box.top + box.height - ((at - up.low) / (up.high - up.low)) * box.height;
  const middle = (axis, number) => axis.low + ((number + 0.5) / axis.count) * (axis.high - axis.low);

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.font = "13px " + getComputedStyle(document.body).fontFamily;
    const texts = Math.max(0, ...chart.scale.ticks.map(([, words]) => pen.measureText(words).width));
    const right = chart.kind === "map" ? RAMP + texts + 36 : 18;
    box = { left: LEFT, top: TOP, width: canvas.clientWidth - LEFT - right, height: canvas.clientHeight - TOP - FOOT };
    pen.save();
    pen.beginPath();
    pen.rect(box.left, box.top, box.width, box.height);
    pen.clip();
    ({ map: drawMap, diagram: drawDiagram, section: drawSection })[chart.kind]();
    pen.restore();
    drawAxes();
    if (chart.kind === "map") drawKey(texts);
  }

  function drawMap() {
    const [m, n] = [across.count, up.count], stripes = hatched();
    for (let i = 0; i < m; i++) {
      const left = Math.floor(box.left + (i / m) * box.width), next = Math.ceil(box.left + ((i + 1) / m) * box.width);
      for (let j = 0; j < n; j++) {
        const value = chart.values[i * n + j], striped = chart.striped[i * n + j];
        if (value === null && !striped) continue;
        pen.fillStyle = striped ? stripes : colour(share(value));
        const top = Math.floor(box.top + box.height - ((j + 1) / n) * box.height);
        pen.fillRect(left, top, next - left, Math.ceil(box.top + box.height - (j / n) * box.height) - top);
      }
    }
    for (const [width, ink, dash] of [[4, "#ffffff", []], [2, "#000000", [8, 5]]]) {
      pen.lineWidth = width;
      pen.strokeStyle = ink;
      pen.setLineDash(dash);
      for (const line of chart.boundary) stroke(line);
    }
    pen.setLineDash([]);
    pen.lineWidth = 1.2;
    pen.strokeStyle = "#ffffff";
    for (const line of chart.contours) stroke(line);
    if (cell) {
      pen.strokeStyle = style("--text");
      pen.lineWidth = 1;
      stroke([[middle(across, cell[0]), up.low], [middle(across, cell[0]), up.high]]);
      stroke([[across.low, middle(up, cell[1])], [across.high, middle(up, cell[1])]]);
    }
  }

  function hatched() {
    const tile = document.createElement("canvas"), ink = tile.getContext("2d");
    tile.width = tile.height = 6;
    ink.fillStyle = style("--surface");
    ink.fillRect(0, 0, 6, 6);
    ink.fillStyle = style("--muted");
    for (let k = 0; k < 6; k++) ink.fillRect(k, 5 - k, 1, 1);
    return pen.createPattern(tile, "repeat");
  }

  function drawDiagram() {
    pen.strokeStyle = pen.fillStyle = style("--text");
    pen.lineWidth = 1.6;
    const line = [];
    chart.values.forEach((value, i) => {
      if (value === null) return;
      const at = [middle(across, i), chart.scale.log ? Math.log10(value) : value];
      line.push(at);
      dot(at, cell && cell[0] === i ? 5 : 2.5);
    });
    if (!chart.scale.kinds.length) stroke(line);
  }

  function drawSection() {
    const size = chart.points.length > 5000 ? 1.2 : 2.2;
    chart.points.forEach((at, k) => {
      pen.fillStyle = chart.shades[k] === null ? style("--muted") : colour(chart.shades[k]);
      dot(at, cell && cell.join() === chart.cells[k].join() ? size + 2 : size);
    });
  }

  function stroke(line) {
    pen.beginPath();
    line.forEach((at, k) => (k ? pen.lineTo(x(at[0]), y(at[1])) : pen.moveTo(x(at[0]), y(at[1]))));
    pen.stroke();
  }

  function dot(at, size) {
    pen.beginPath();
    pen.arc(x(at[0]), y(at[1]), size, 0, 2 * Math.PI);
    pen.fill();
  }

  function drawAxes() {
    pen.strokeStyle = style("--line");
    pen.fillStyle = style("--text");
    pen.lineWidth = 1;
    pen.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
    pen.textAlign = "center";
    pen.textBaseline = "top";
    for (const [at, words] of across.ticks) pen.fillText(words, x(at), box.top + box.height + 6);
    pen.fillText(across.title, box.left + box.width / 2, box.top + box.height + 28);
    pen.textAlign = "right";
    pen.textBaseline = "middle";
    for (const [at, words] of up.ticks) pen.fillText(words, box.left - 6, y(at));
    sideways(up.title, 16, box.top + box.height / 2);
  }

  function sideways(words, left, top) {
    pen.save();
    pen.translate(left, top);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "center";
    pen.fillText(words, 0, 0);
    pen.restore();
  }

  function drawKey(texts) {
    const left = box.left + box.width + 12, steps = chart.scale.whole ? Math.round(chart.scale.high - chart.scale.low) : 128;
    for (let k = 0; k < steps; k++) {
      pen.fillStyle = colour((k + 0.5) / steps);
      const top = Math.floor(box.top + box.height * (1 - (k + 1) / steps));
      pen.fillRect(left, top, 14, Math.ceil(box.top + box.height * (1 - k / steps)) - top);
    }
    pen.fillStyle = style("--text");
    pen.textAlign = "left";
    for (const [at, words] of chart.scale.ticks) {
      pen.fillText(words, left + 18, box.top + box.height * (1 - (at - chart.scale.low) / (chart.scale.high - chart.scale.low)));
    }
    sideways(chart.scale.title, left + 18 + texts + 18, box.top + box.height / 2);
  }

  function near(event) {
    const left = event.offsetX, top = event.offsetY;
    if (chart.kind === "section") {
      let best = null, least = 14;
      chart.points.forEach((at, k) => {
        const far = Math.hypot(x(at[0]) - left, y(at[1]) - top);
        if (far < least) [best, least] = [chart.cells[k], far];
      });
      return best;
    }
    const i = Math.floor(((left - box.left) / box.width) * across.count);
    const j = Math.floor(((box.top + box.height - top) / box.height) * up.count);
    const inside = i >= 0 && i < across.count && (chart.kind === "diagram" || (j >= 0 && j < up.count));
    return inside ? (chart.kind === "diagram" ? [i] : [i, j]) : null;
  }

  function words() {
    if (!cell) return "";
    const at = (k) => cell[chart.scattered ? 0 : k];
    const place = chart.scattered ? at(0) : chart.dimensions.reduce((sum, axis, k) => sum * axis.values.length + at(k), 0);
    const parts = chart.dimensions.map((axis, k) => `${axis.words} = ${axis.values[at(k)]} ${axis.unit}`.trim());
    const value = chart.values[place], hole = chart.holes[place];
    const said = value === null ? "" : chart.scale.kinds.length ? chart.scale.kinds[value] : Number(value.toPrecision(5));
    if (value !== null) parts.push(`${chart.scale.words}: ${said} ${chart.scale.unit}`.trim());
    else if (!hole) parts.push(chart.computed[place] ? chart.nothing : chart.missing);
    if (hole) parts.push(chart.reasons[hole - 1]);
    return parts.join("; ");
  }

  function point(next) {
    cell = next;
    said.textContent = words();
    draw();
  }

  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  canvas.addEventListener("mousemove", (event) => point(near(event)));
  canvas.addEventListener("keydown", (event) => {
    const by = steps[event.key];
    if (!by) return;
    event.preventDefault();
    const sizes = (chart.scattered ? chart.dimensions.slice(0, 1) : chart.dimensions).map((axis) => axis.values.length);
    const from = cell || sizes.map((size) => Math.floor(size / 2));
    point(from.map((number, k) => Math.min(Math.max(number + (event.shiftKey ? 10 : 1) * (by[k] || 0), 0), sizes[k] - 1)));
  });
  window.addEventListener("resize", draw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  draw();
  window.quatviz = { chart, point, words };
})();
