// The page: lanes, time, keys, theme.

const get = (id) => document.getElementById(id);
// Drawn, for not every font has the signs, and some show them as coloured pictures.
const icon = (path) => `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${path}" fill="currentColor"/></svg>`;
const ICONS = { play: icon("M4 2l10 6-10 6z"), pause: icon("M3 2h4v12H3zM9 2h4v12H9z"), back: icon("M2 2h2v12H2zM14 2v12L5 8z") };
const SPEEDS = [...new Set([0.1, 0.25, 0.5, 1, 2, 5, 10, RUN.speed])].sort((one, other) => one - other);
const scene = makeScene(get("scene"), get("labels"), get("corner"));
let dirty = true;

function setTime(time) {
  state.time = Math.min(Math.max(time, 0), RUN.duration);
  get("slider").value = state.time;
  get("slider").setAttribute("aria-valuetext", `${state.time.toFixed(2)} s`);
  get("clock").textContent = `${state.time.toFixed(2)} / ${RUN.duration.toFixed(2)} s`;
  dirty = true;
}

function setPlaying(playing) {
  if (playing && state.time >= RUN.duration) setTime(0);
  state.playing = playing;
  get("play").innerHTML = playing ? ICONS.pause : ICONS.play;
  get("play").setAttribute("aria-label", playing ? "Pause" : "Play");
}

function setSpeed(speed) {
  state.speed = speed;
  get("speed").value = String(speed);
}

function setTheme(name) {
  state.theme = name;
  const own = look(), style = document.documentElement.style;
  for (const key of ["window", "surface", "raised", "line", "text", "muted", "accent", "danger"]) style.setProperty(`--${key}`, own[key]);
  style.setProperty("--scheme", name);
  get("theme").textContent = name === "dark" ? "Light" : "Dark";
  drawLanes();
  plots.build();
  dirty = true;
}

function drawLanes() {
  const place = get("lanes");
  place.replaceChildren(...LANES.map((lane) => {
    const chip = document.createElement("button");
    chip.className = "chip";
    chip.style.setProperty("--own", laneColour(lane));
    chip.setAttribute("aria-pressed", lane.visible);
    chip.title = `${lane.method}. Click: show or hide. Double click: this lane alone, or all.`;
    chip.append(document.createElement("i"), lane.name);
    if (lane.computed) {
      const note = document.createElement("span");
      note.className = "muted";
      note.textContent = "in browser";
      chip.append(note);
    }
    if (!lane.alive) {
      const ended = document.createElement("small");
      ended.textContent = lane.status.replaceAll("_", " ");
      chip.append(ended);
    }
    chip.onclick = (event) => {
      // A lane alone by a double click: its second click comes here too.
      if (event.detail >= 2) {
        const alone = shown().length <= 1 && lane.visible;
        for (const other of LANES) other.visible = alone || other === lane;
      } else lane.visible = !lane.visible;
      drawLanes();
      place.children[LANES.indexOf(lane)].focus({ preventScroll: true });
      plots.build();
      dirty = true;
    };
    return chip;
  }));
}

// A paragraph of sentences, gray and marked if they may no longer be true of the edited run.
function markedParagraph(sentences) {
  const paragraph = document.createElement("p");
  paragraph.append(...sentences.flatMap(([sentence, mark]) => {
    const part = document.createElement("span");
    part.className = mark ? "muted" : "";
    part.textContent = mark ? `${sentence} ${mark}` : sentence;
    return [part, " "];
  }));
  return paragraph;
}

// The text of the preset. While the page shows motions that it computes, all of it is gray: it tells of the stored run.
function fillLead(computed) {
  const texts = [RUN.summary, RUN.watch].filter((sentences) => sentences.length);
  const told = computed && texts.length ? "The gray text describes the stored run and may not be true of the numbers that you chose." : RUN.edits;
  get("lead").hidden = !texts.length;
  get("lead").classList.toggle("muted", computed);
  get("lead-text").replaceChildren(...texts.map(markedParagraph));
  get("edits").hidden = !told;
  get("edits").textContent = told;
}

function fillTexts() {
  get("title").textContent = RUN.title;
  get("source").textContent = RUN.source;
  get("preset").textContent = RUN.preset;
  const paragraph = (text) => Object.assign(document.createElement("p"), { textContent: text });
  get("lead").open = innerWidth > 820;
  fillLead(false);
  const about = [
    "Arrows: angular velocity ω, angular momentum h, torque n and forces f, all in space; body axes e₁ red, e₂ green, e₃ blue, whose trail shows the last 5 s, or one slow turn. " +
    "The solid body is the first lane that is shown; the others are glass about it. Space z is up; p is scalar first and " +
    "turns body components to space. Where curves coincide their colors take turns. A jump of an angle is a gap.",
    "Keys: space plays, ← → step, with Shift 1 s, ↑ ↓ speed, Home and End, G gimbal rings. Click or drag in a plot: the time; drag with " +
    "Shift: zoom, double click: the whole run. Drag the body to orbit, wheel or pinch to zoom."];
  get("about-text").replaceChildren(...about.map(paragraph));
}

// What is said of the lanes: messages above the body, methods at the foot.
function describeLanes() {
  get("remarks").replaceChildren(...LANES.filter((lane) => lane.message).map((lane) => {
    const remark = document.createElement("p");
    remark.textContent = lane.message.startsWith(lane.name) ? lane.message : `${lane.name}: ${lane.message}`;
    return remark;
  }));
  get("foot").textContent = (LANES[0].computed ? "Computed in this browser, not stored. " : `Computed by quatviz ${RUN.version}. `) +
    LANES.map((lane) => `${lane.name}: ${lane.method}`).join("; ") + (LANES[0].computed ? "." : `. This page keeps ${RUN.reduced}.`);
}

const STORED = [...LANES];

// Other lanes in place of those shown; `sizes` belong to them.
function showLanes(lanes, { scales, sizes, forces }) {
  LANES.splice(0, LANES.length, ...lanes);
  Object.assign(state, { scales, sizes, forces });
  fillLead(Boolean(LANES[0].computed));
  drawLanes();
  describeLanes();
  plots.reset();
  dirty = true;
}

function toggleGimbals() {
  state.gimbals = !state.gimbals;
  get("gimbals").setAttribute("aria-pressed", state.gimbals);
  dirty = true;
}

function toggleSheet(button, sheet) {
  get(button).onclick = () => {
    const open = get(sheet).hidden;
    get(sheet).hidden = !open;
    get(button).setAttribute("aria-expanded", open);
  };
}

function saveSettings() {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([RUN.preset], { type: "application/toml" }));
  link.download = `${RUN.name}.toml`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function copySettings() {
  // A page from a file, or in a frame, may not have the clipboard: select the text instead.
  const select = () => getSelection().selectAllChildren(get("preset"));
  if (navigator.clipboard) navigator.clipboard.writeText(RUN.preset).then(() => { get("copy").textContent = "Copied"; }, select);
  else select();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, summary, #controls")) return;
  const step = event.shiftKey ? 1 : RUN.interval, index = SPEEDS.indexOf(state.speed);
  const keys = {
    " ": () => setPlaying(!state.playing),
    ArrowLeft: () => setTime(state.time - step),
    ArrowRight: () => setTime(state.time + step),
    ArrowUp: () => setSpeed(SPEEDS[Math.min(index + 1, SPEEDS.length - 1)]),
    ArrowDown: () => setSpeed(SPEEDS[Math.max(index - 1, 0)]),
    Home: () => setTime(0),
    End: () => setTime(RUN.duration),
    g: toggleGimbals,
  };
  // A button that has the focus is pressed by space, as everywhere.
  if (!keys[event.key] || (event.key === " " && event.target.tagName === "BUTTON" && event.target.id !== "play")) return;
  event.preventDefault();
  keys[event.key]();
}

let before = 0;
function tick(now) {
  if (state.playing) {
    setTime(state.time + Math.min((now - before) / 1000, 0.1) * state.speed);
    if (state.time >= RUN.duration) setPlaying(false);
  }
  before = now;
  if (dirty) {
    dirty = false;
    scene.draw();
    plots.follow();
  }
  requestAnimationFrame(tick);
}

const plots = makePlots(get("chooser"), get("plots"), setTime);
fillTexts();
describeLanes();
get("slider").max = RUN.duration;
get("speed").replaceChildren(...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed))));
setSpeed(RUN.speed);
get("slider").oninput = () => setTime(Number(get("slider").value));
get("speed").onchange = () => setSpeed(Number(get("speed").value));
get("play").onclick = () => setPlaying(!state.playing);
get("play").onkeyup = (event) => { if (event.key === " ") event.preventDefault(); };
get("back").innerHTML = ICONS.back;
setPlaying(false);
get("back").onclick = () => setTime(0);
get("theme").onclick = () => setTheme(state.theme === "dark" ? "light" : "dark");
get("gimbals").onclick = toggleGimbals;
get("gimbals").hidden = !LANES.some((lane) => lane.has(ANGLES));
get("copy").onclick = copySettings;
get("download").onclick = saveSettings;
const experiment = makeExperiment(RUN.computation, showLanes, () => showLanes(STORED, RUN));
toggleSheet("about", "about-text");
toggleSheet("settings", "settings-text");
document.addEventListener("keydown", onKey);
new ResizeObserver(() => { dirty = true; plots.resize(); }).observe(get("board"));
new ResizeObserver(() => { dirty = true; }).observe(get("view"));
scene.onchange(() => { dirty = true; });
setTheme(state.theme);
setTime(0);
requestAnimationFrame(tick);
window.quatviz = { state, setTime, numbers: NUMBERS, lanes: LANES, scene, crowded, experiment };
