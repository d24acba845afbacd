// The controls with which the page computes: moments of inertia, initial rate and the magnitude of a load. What is
// computed takes the place of the stored lanes until Reset.

function makeExperiment(problem, show, restore) {
  const panel = get("compute");
  if (problem.reason) {
    const reason = document.createElement("p");
    reason.className = "muted";
    reason.textContent = problem.reason;
    panel.replaceWith(reason);
    return {};
  }
  const size = (vector) => Math.hypot(...vector), short = (value) => Number(value.toPrecision(4));
  const stored = { inertia: problem.inertia, omega: problem.omega, magnitude: problem.loads.length ? size(problem.loads[0].vector) : 0 };
  let values = structuredClone(stored), runs = 0;

  // Sliders: label, unit, range, and how to read and to set the value.
  function entries() {
    const largest = Math.max(...stored.inertia), rate = 1.5 * (size(stored.omega) || 1), list = [];
    ["J₁", "J₂", "J₃"].forEach((symbol, i) => list.push([symbol, "kg m²", Math.min(0.05 * largest, stored.inertia[i]), 2 * largest, values.inertia, i]));
    ["ω₁(0)", "ω₂(0)", "ω₃(0)"].forEach((symbol, i) => list.push([symbol, "rad/s", -rate, rate, values.omega, i]));
    if (stored.magnitude > 0) list.push([problem.loads[0].title, problem.loads[0].unit, 0, 2 * stored.magnitude, values, "magnitude"]);
    return list;
  }

  function control([symbol, unit, low, high, owner, key], index) {
    const row = document.createElement("div"), label = document.createElement("label");
    const slider = document.createElement("input"), shown = document.createElement("output");
    const tell = () => {
      shown.textContent = `${short(owner[key])} ${unit}`.replace("-", "−");
      slider.setAttribute("aria-valuetext", shown.textContent);
    };
    Object.assign(slider, { type: "range", id: `control-${index}`, min: low, max: high, step: "any", value: owner[key] });
    label.htmlFor = slider.id;
    label.textContent = symbol;
    slider.oninput = () => { owner[key] = short(Number(slider.value)); tell(); };
    slider.onchange = compute;
    tell();
    row.append(label, slider, shown);
    return row;
  }

  function changed() {
    const factor = stored.magnitude ? values.magnitude / stored.magnitude : 1;
    const loads = problem.loads.map((load, i) => (i ? load : { ...load, vector: scaled(load.vector, factor) }));
    return { ...problem, inertia: values.inertia, omega: values.omega, loads };
  }

  function endMessage(lane, { status, end, time }) {
    const when = `${lane.name} ended at ${short(time)} s: `;
    if (status === "not_finite") return `${when}its numbers overflowed, the steps of ${problem.dt} s are too long for this motion.`;
    const pitch = (end[1] * 180) / Math.PI, pole = 180 * Math.round((pitch - 90) / 180) + 90;
    return status === "singular" ? `${when}the pitch θ is ${short(Math.abs(pitch - pole))}° from ${pole}°, where 3-2-1 angles are singular.` : "";
  }

  // A lane of the page, with its columns one after the other.
  function laneOf(description, colour, now, result) {
    const columns = columnsOf(description.formulation, now, result.rows, RUN.sequence), starts = {}, breaks = { [ANGLES]: [[], [], []] };
    const numbers = [];
    for (const name of Object.keys(columns).filter((key) => key in RUN.quantities)) {
      starts[name] = numbers.length;
      for (const row of columns[name]) numbers.push(...row);
    }
    columns[ANGLES].forEach((angles, row, all) => angles.forEach((angle, i) => {
      if (row && Math.abs(angle - all[row - 1][i]) > 180) breaks[ANGLES][i].push(row - 1);
    }));
    return new Lane({
      name: description.name, colour, breaks, columns: starts, rows: result.rows.length, status: result.status, computed: true,
      method: `Runge–Kutta 4, dt = ${problem.dt} s, computed in this browser`,
      message: endMessage(description, result), ended: result.time,
    }, Float64Array.from(numbers));
  }

  // The largest magnitudes of vectors, and the scale of rounding of each unit, as the program gives them for a stored run.
  function scalesOf(lanes, now) {
    const longest = (name) => (RUN.quantities[name]
      ? Math.max(...lanes.map((lane) => Array.from({ length: lane.rows }, (_, row) => size(lane.vector(name, row))).reduce((a, b) => Math.max(a, b), 0))) : 0);
    const first = lanes[0], kinetic = first.value("kinetic", 0, 0), energy = kinetic + first.value("potential", 0, 0);
    return {
      scales: { omega: longest("omega"), h: longest("h"), torque: longest("torque"), force: Math.max(0, ...now.loads.filter(({ point }) => point).map(({ vector }) => size(vector))) },
      sizes: { J: Math.max(Math.abs(energy), kinetic) || 1, "kg m²/s": size(first.vector("h", 0)), "rad/s": size(first.vector("omega", 0)) },
      forces: RUN.forces.map((force, i) => ({ ...force, force: now.loads.filter(({ point }) => point)[i].vector })),
    };
  }

  async function compute() {
    const number = ++runs, now = structuredClone(changed()), fault = inertiaFault(now.inertia), status = get("compute-status");
    status.textContent = fault;
    status.classList.toggle("fault", Boolean(fault));
    if (fault) return false;
    let last = performance.now();
    const lanes = [];
    for (const description of now.lanes) {
      const result = await integrate(description.formulation, now, async (share) => {
        if (performance.now() - last < 40) return runs === number;
        status.textContent = `Computing ${description.name}: ${Math.round(100 * share)} %`;
        await new Promise((done) => setTimeout(done));
        last = performance.now();
        return runs === number;
      });
      if (!result) return false;
      lanes.push(laneOf(description, lanes.length, now, result));
    }
    show(lanes, scalesOf(lanes, now));
    status.textContent = `All curves and the motion in 3D are computed in this browser, by Runge–Kutta 4 with dt = ${problem.dt} s. ` +
      "Reset shows the stored run.";
    get("reset").disabled = false;
    return true;
  }

  function reset() {
    runs += 1;
    values = structuredClone(stored);
    get("compute-status").textContent = "";
    get("reset").disabled = true;
    get("controls").replaceChildren(...entries().map(control));
    restore();
  }

  get("run-again").onclick = compute;
  get("reset").onclick = reset;
  get("controls").replaceChildren(...entries().map(control));
  get("reset").disabled = true;
  return { compute, reset };
}
