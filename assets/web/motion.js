// The run: its description, its numbers, and what follows from them.
// p is scalar first and turns body components to space; space z is up.

const RUN = JSON.parse(document.getElementById("run").textContent);

// What `quatviz/export/web/column_encoding.py` writes: differences whose sums are multiples of a power of two, or floats.
async function decode(text, coded) {
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const whole = new Int32Array(bytes.length / 4), numbers = new Float32Array(whole.buffer);
  let at = 0;
  for (const [rows, components] of coded) {
    const start = at / 4;
    components.forEach(([order, power], component) => {
      const sums = [0, 0, 0, 0];
      for (let row = 0; row < rows; row++, at++) {
        const step = bytes[at] | (bytes[at + rows] << 8) | (bytes[at + 2 * rows] << 16) | (bytes[at + 3 * rows] << 24);
        sums[order] = (step >>> 1) ^ -(step & 1);
        for (let level = order; level > 0; level--) sums[level - 1] = (sums[level - 1] + sums[level]) | 0;
        const place = start + row * components.length + component;
        if (power === null) whole[place] = sums[0] ^ ((sums[0] >> 31) & 0x7fffffff);
        else numbers[place] = sums[0] * 2 ** power;
      }
      at += 3 * rows;
    });
  }
  return numbers;
}

if (!window.DecompressionStream)
  document.getElementById("remarks").textContent = "This page needs a newer browser: one of 2023 or later, which unpacks its numbers.";
const NUMBERS = await decode(document.getElementById("numbers").textContent, RUN.coded);
const ANGLES = "angles_" + RUN.sequence;

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const sum = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const unit = (a) => scaled(a, 1 / (Math.hypot(...a) || 1));

function rotate(p, v) {
  const size = Math.hypot(...p) || 1, e0 = p[0] / size, e = [p[1] / size, p[2] / size, p[3] / size];
  return sum(v, scaled(cross(e, sum(cross(e, v), scaled(v, e0))), 2));
}

class Lane {
  constructor(told, numbers = NUMBERS) {
    Object.assign(this, told);
    this.numbers = numbers;
    this.visible = true;
    this.made = {};
    this.end = (this.rows - 1) * RUN.interval;
    this.alive = this.status === "ok" || this.status === "running" || this.status === "preparing";
  }

  has(name) {
    return name in this.columns;
  }

  value(name, component, row) {
    const width = RUN.quantities[name].symbols.length;
    return this.numbers[this.columns[name] + row * width + component];
  }

  vector(name, row) {
    return RUN.quantities[name].symbols.map((_, component) => this.value(name, component, row));
  }

  // A component of a column, or of one made from columns, (rows).
  series(name, component) {
    const key = `${name} ${component}`;
    return (this.made[key] ??= this.make(name, component));
  }

  make(name, component) {
    const space = name.endsWith("_space") ? name.slice(0, -6) : "";
    if (!this.has(space || (name === "energy" ? "kinetic" : name))) return null;
    if (space) {
      const whole = (this.made[name] ??= Array.from({ length: this.rows }, (_, row) =>
        rotate(this.vector("p", row), this.vector(space, row))));
      return Float32Array.from(whole, (one) => one[component]);
    }
    const one = name === "energy"
      ? (row) => this.value("kinetic", 0, row) + (this.has("potential") ? this.value("potential", 0, row) : 0)
      : (row) => this.value(name, component, row);
    return Float32Array.from({ length: this.rows }, (_, row) => one(row));
  }

  // The rows about a time, and how far it is from the first to the second.
  about(time) {
    const at = Math.min(Math.max(time / RUN.interval, 0), this.rows - 1);
    const row = Math.min(Math.floor(at), Math.max(this.rows - 2, 0));
    return [row, Math.min(row + 1, this.rows - 1), at - row];
  }

  attitude(time) {
    const [row, next, share] = this.about(time);
    const a = this.vector("p", row);
    let b = this.vector("p", next);
    // p and -p are one orientation: the shorter way.
    if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0) b = b.map((x) => -x);
    const p = a.map((x, i) => x + share * (b[i] - x)), size = Math.hypot(...p) || 1;
    return p.map((x) => x / size);
  }

  // The components of a column at a time.
  linear(name, time) {
    const [row, next, share] = this.about(time);
    const b = this.vector(name, next);
    return this.vector(name, row).map((x, i) => x + share * (b[i] - x));
  }

  inSpace(name, time) {
    return rotate(this.attitude(time), this.linear(name, time));
  }

  // How far back the path of the third axis reaches [s], as in the window: five seconds, or one slow turn, or ten quick ones.
  get trail() {
    return (this.made.trail ??= this.reach());
  }

  reach() {
    let fastest = 0;
    for (let row = 0; row < this.rows; row++) fastest = Math.max(fastest, Math.hypot(...this.vector("omega", row).slice(0, 2)) || 0);
    return fastest > 0 ? Math.min(Math.max(5, Math.min((2 * Math.PI) / fastest, RUN.duration)), 60 / fastest) : 5;
  }

  // The Euler angles at a time [deg]: the shorter way round, and the nearer row's where one of them leaps.
  angles(time) {
    const [row, next, share] = this.about(time), a = this.vector(ANGLES, row), b = this.vector(ANGLES, next);
    const steps = a.map((x, i) => ((((b[i] - x + 180) % 360) + 360) % 360) - 180);
    return steps.some((step) => Math.abs(step) > 60) ? (share < 0.5 ? a : b) : a.map((x, i) => x + share * steps[i]);
  }

  // A value at a time; the nearer row's where a line would lie.
  reading(name, component, time) {
    const values = this.series(name, component);
    if (!values || time > this.end + RUN.interval) return NaN;
    const [row, next, share] = this.about(time);
    const broken = this.breaks[name]?.[component]?.includes(row);
    if (broken || RUN.quantities[name]?.log) return values[share < 0.5 ? row : next];
    return values[row] + share * (values[next] - values[row]);
  }
}

const LANES = RUN.lanes.map((told) => new Lane(told));
const state = { time: 0, playing: false, speed: 1, theme: RUN.theme, gimbals: false, scales: RUN.scales, sizes: RUN.sizes, forces: RUN.forces };
const look = () => RUN.looks[state.theme];
const laneColour = (lane) => look().lanes[lane.colour % look().lanes.length];
const shown = () => LANES.filter((lane) => lane.visible);
