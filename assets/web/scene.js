// The body in 3D, drawn with WebGL 2 as the window draws it.

const VERTEX = `#version 300 es
uniform mat4 u_model, u_view, u_projection;
in vec3 a_position, a_normal;
out vec3 v_own, v_normal, v_eye;
void main() {
  vec4 eye = u_view * u_model * vec4(a_position, 1.0);
  v_own = a_position; v_eye = eye.xyz;
  v_normal = mat3(u_view) * transpose(inverse(mat3(u_model))) * a_normal;
  gl_Position = u_projection * eye;
}`;
const FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 u_colour, u_second;
uniform float u_alpha;
uniform int u_kind;  // 0 solid, 1 painted, 2 glass, 3 floor
in vec3 v_own, v_normal, v_eye;
out vec4 colour;
void main() {
  if (u_kind == 3) {
    vec2 near = abs(fract(v_own.xy + 0.5) - 0.5) / max(fwidth(v_own.xy), vec2(1e-5));
    colour = vec4(u_colour, u_alpha * (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(2.0, 7.0, length(v_own.xy))));
    return;
  }
  vec3 n = normalize(v_normal), e = normalize(-v_eye);
  if (dot(n, e) < 0.0) n = -n;
  float away = 1.0 - max(dot(n, e), 0.0), rim = away * away * away;
  if (u_kind == 2) { colour = vec4(u_colour, u_alpha * clamp(0.06 + 0.94 * rim, 0.0, 1.0)); return; }
  vec3 side = clamp(v_own / max(fwidth(v_own), vec3(1e-5)), -1.0, 1.0);
  vec3 base = u_kind == 1 ? mix(u_colour * u_colour, u_second * u_second, 0.5 + 0.5 * side.x * side.y * side.z) : u_colour * u_colour;
  vec3 key = normalize(vec3(0.40, 0.75, 0.60)), fill = normalize(vec3(-0.75, 0.10, 0.40));
  float shine = pow(max(dot(n, normalize(key + e)), 0.0), 50.0) * 0.30;
  vec3 ambient = mix(vec3(0.13, 0.13, 0.15), vec3(0.30, 0.32, 0.37), 0.5 + 0.5 * n.y);
  vec3 lit = base * (ambient + vec3(1.0, 0.97, 0.92) * max(dot(n, key), 0.0) * 0.85
           + vec3(0.4, 0.48, 0.6) * max(dot(n, fill), 0.0) * 0.35) + vec3(shine + rim * 0.12);
  colour = vec4(sqrt(min(lit, vec3(1.0))), u_alpha);
}`;
const LINE_VERTEX = `#version 300 es
uniform mat4 u_view, u_projection;
uniform vec2 u_size;
uniform float u_width;
in vec3 a_position, a_before, a_after;
in vec2 a_side;
out float v_along;
void main() {
  mat4 m = u_projection * u_view;
  vec4 c = m * vec4(a_position, 1.0), b = m * vec4(a_before, 1.0), a = m * vec4(a_after, 1.0);
  vec2 d = (a.xy / a.w - b.xy / b.w) * u_size;
  d = length(d) > 1e-5 ? normalize(d) : vec2(1.0, 0.0);
  c.xy += vec2(-d.y, d.x) * a_side.x * u_width / u_size * c.w;
  v_along = a_side.y;
  gl_Position = c;
}`;
const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 u_colour;
uniform float u_fade;
in float v_along;
out vec4 colour;
void main() { colour = vec4(u_colour, mix(1.0, v_along, u_fade)); }`;
const SKY_VERTEX = `#version 300 es
uniform vec3 u_top, u_bottom;
in vec3 a_position;
out vec3 v_colour;
void main() { v_colour = mix(u_bottom, u_top, a_position.y * 0.5 + 0.5); gl_Position = vec4(a_position.xy, 0.99999, 1.0); }`;
const SKY_FRAGMENT = `#version 300 es
precision highp float;
in vec3 v_colour;
out vec4 colour;
void main() { colour = vec4(v_colour, 1.0); }`;

const COIL_TURNS = 6, COIL_WIDTH = 0.07, COIL_LIFT = 0.1, GUIDE_REACH = 1.35;
const RIM_WIDTH = 0.1, SPOKE_WIDTH = 0.05, AXLE_LENGTH = 0.3;
const FORCE = 1, ARROW = 1.4, AXIS = 1.3, HEAD = 0.2, FIELD = (34 * Math.PI) / 180;
const rgb = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16) / 255);
const mixed = (one, other, part) =>
  `#${rgb(one).map((a, i) => Math.round(255 * (part * a + (1 - part) * rgb(other)[i])).toString(16).padStart(2, "0")).join("")}`;

// Meshes: position and normal of three corners a triangle.

function grid(rows, columns, at) {
  const made = [];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++)
      for (const [a, b] of [[0, 0], [1, 0], [0, 1], [1, 0], [1, 1], [0, 1]]) made.push(...at((i + a) / rows, (j + b) / columns));
  return new Float32Array(made);
}

function along(axes, v) {
  return [0, 1, 2].map((row) => axes[row][0] * v[0] + axes[row][1] * v[1] + axes[row][2] * v[2]);
}

function bodyMesh(inflate) {
  const { extents, axes, centre, shape, mesh } = RUN.body;
  if (mesh)
    return new Float32Array(mesh.map((x, i) => (i % 6 < 3 ? x * inflate + centre[i % 6] : x)));
  const place = (own) => sum(along(axes, own.map((x, i) => x * extents[i] * inflate)), centre);
  if (shape !== "box")
    return grid(30, 60, (s, r) => {
      const v = Math.PI * s, u = 2 * Math.PI * r, ball = [Math.sin(v) * Math.cos(u), Math.sin(v) * Math.sin(u), Math.cos(v)];
      return [...place(ball), ...unit(along(axes, ball.map((x, i) => x / extents[i])))];
    });
  return boxMesh(place, (normal) => along(axes, normal));
}

// A round bar on a circle about z, its middle on x.
function arcMesh(radius, thickness, span) {
  return grid(72, 12, (s, r) => {
    const u = span * (s - 0.5), v = 2 * Math.PI * r, out = [Math.cos(u), Math.sin(u), 0];
    const normal = sum(scaled(out, Math.cos(v)), [0, 0, Math.sin(v)]);
    return [...sum(scaled(out, radius), scaled(normal, thickness)), ...normal];
  });
}

function boxMesh(at, turn) {
  const made = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1])
      for (const [a, b] of [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]]) {
        const own = [0, 0, 0], normal = [0, 0, 0];
        own[axis] = normal[axis] = side;
        own[(axis + 1) % 3] = a;
        own[(axis + 2) % 3] = b;
        made.push(...at(own), ...turn(normal));
      }
  return new Float32Array(made);
}

// A rim about z with three bars across and an axle, as `display/scene/items/rotors.py` draws it.
function wheelMesh(radius) {
  const bar = (half, angle) => {
    const turn = (v) => turned(v, [0, 0, 1], angle);
    return boxMesh((own) => turn(own.map((x, i) => x * half[i] * radius)), turn);
  };
  const bars = [0, 1, 2].map((third) => bar([1, SPOKE_WIDTH, SPOKE_WIDTH], (third * Math.PI) / 3));
  const parts = [arcMesh(radius, RIM_WIDTH * radius, 2 * Math.PI), ...bars, bar([SPOKE_WIDTH, SPOKE_WIDTH, AXLE_LENGTH], 0)];
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

function revolved(profile) {
  return grid(profile.length - 1, 24, (s, r) => {
    const [radius, z, out, up] = profile[Math.round(s * (profile.length - 1))], u = 2 * Math.PI * r;
    return [radius * Math.cos(u), radius * Math.sin(u), z, out * Math.cos(u), out * Math.sin(u), up];
  });
}

// Column-major 4x4 from three columns and an offset.
const matrix = (x, y, z, o = [0, 0, 0]) => new Float32Array([...x, 0, ...y, 0, ...z, 0, ...o, 1]);

function turned(vector, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return sum(sum(scaled(vector, c), scaled(cross(axis, vector), s)), scaled(axis, dot(axis, vector) * (1 - c)));
}

function makeScene(canvas, words, corner) {
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, stencil: true });
  if (!gl) {
    corner.textContent = "This browser shows no 3D: WebGL 2 is off. The plots work.";
    return { draw() {}, onchange() {} };
  }
  const camera = { back: unit([1, -0.62, 0.48]), distance: 1 };
  const reach = 1 + Math.hypot(...RUN.body.centre), floor = -(reach + 0.7);
  let changed = () => {}, aspect = 0;

  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const at = {};
    for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(made, i);
      at[name] = gl.getUniformLocation(made, name);
    }
    return { made, at };
  }

  function buffer(own, data, sizes) {
    const array = gl.createVertexArray(), store = gl.createBuffer(), width = sizes.reduce((a, [, n]) => a + n, 0);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, store);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    let offset = 0;
    for (const [name, n] of sizes) {
      const location = gl.getAttribLocation(own.made, name);
      if (location >= 0) {
        gl.enableVertexAttribArray(location);
        gl.vertexAttribPointer(location, n, gl.FLOAT, false, 4 * width, 4 * offset);
      }
      offset += n;
    }
    return { array, store, count: data.length / width };
  }

  const solid = program(VERTEX, FRAGMENT), line = program(LINE_VERTEX, LINE_FRAGMENT), sky = program(SKY_VERTEX, SKY_FRAGMENT);
  const mesh = (data) => buffer(solid, data, [["a_position", 3], ["a_normal", 3]]);
  const slope = Math.hypot(0.068, HEAD);
  const meshes = {
    body: mesh(bodyMesh(1)),
    ghosts: Array.from({ length: Math.max(LANES.length, RUN.computation.lanes?.length ?? 0) }, (_, i) => mesh(bodyMesh(1.035 + 0.012 * i))),
    shaft: mesh(revolved([[0.026, 0, 1, 0], [0.026, 1, 1, 0]])),
    head: mesh(revolved([[0.068, 0, HEAD / slope, 0.068 / slope], [0, HEAD, HEAD / slope, 0.068 / slope]])),
    base: mesh(revolved([[0, 0, 0, -1], [0.068, 0, 0, -1]])),
    floor: mesh(new Float32Array([[-7, -7], [7, -7], [7, 7], [-7, -7], [7, 7], [-7, 7]].flatMap(([x, y]) => [x, y, 0, 0, 0, 1]))),
  };
  const ringed = RUN.ring && [mesh(arcMesh(RUN.ring.radius, 0.05, RUN.ring.arc)), mesh(arcMesh(RUN.ring.radius, 0.075, 2 * Math.PI))];
  const rotors = RUN.rotors.map(({ radius }) => mesh(wheelMesh(radius)));
  const SEQUENCE = [...RUN.sequence].map((digit) => Number(digit) - 1), INNERMOST = reach + 0.13, STEP = 0.15;
  const BRIGHTENS = 0.5, LOCKED = 0.1, BLINK = 500;
  const gimbals = [2, 1, 0].map((place) => {
    const radius = INNERMOST + place * STEP, pin = [[0.03, radius, 1, 0], [0.03, radius + STEP, 1, 0]];
    const back = pin.map(([r, z, ...n]) => [r, -z, ...n]);
    return { ring: mesh(arcMesh(radius, 0.024, 2 * Math.PI)), pins: [pin, back].map((one) => mesh(revolved(one))) };
  });
  const whole = buffer(sky, new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), [["a_position", 3]]);
  const LINE = [["a_position", 3], ["a_before", 3], ["a_after", 3], ["a_side", 2]];
  const ribbon = buffer(line, new Float32Array(11), LINE);
  let view, projection;

  function mount() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2), { clientWidth: w, clientHeight: h } = canvas;
    for (const one of [canvas, words])
      if (one.width !== Math.round(w * ratio) || one.height !== Math.round(h * ratio)) {
        one.width = Math.round(w * ratio);
        one.height = Math.round(h * ratio);
      }
    const now = w / Math.max(h, 1), spread = (a) => Math.sin(Math.atan(Math.tan(FIELD / 2) * Math.min(1, a)));
    if (now !== aspect && w) {
      camera.distance = aspect ? (camera.distance * spread(aspect)) / spread(now) : (Math.max(reach, ARROW + 0.15) * 1.1) / spread(now);
      aspect = now;
    }
    const x = unit(cross([0, 0, 1], camera.back)), y = cross(camera.back, x), d = camera.distance;
    view = new Float32Array([x[0], y[0], camera.back[0], 0, x[1], y[1], camera.back[1], 0, x[2], y[2], camera.back[2], 0, 0, 0, -d, 1]);
    const f = 1 / Math.tan(FIELD / 2), near = Math.max(d - 12, 0.05 * d), far = d + 14;
    projection = new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0]);
    gl.viewport(0, 0, canvas.width, canvas.height);
  }

  function put(own, model, kind, colour, second = colour, alpha = 1) {
    gl.uniformMatrix4fv(solid.at.u_model, false, model);
    gl.uniform3fv(solid.at.u_colour, rgb(colour));
    gl.uniform3fv(solid.at.u_second, rgb(second));
    gl.uniform1f(solid.at.u_alpha, alpha);
    gl.uniform1i(solid.at.u_kind, kind);
    gl.bindVertexArray(own.array);
    gl.drawArrays(gl.TRIANGLES, 0, own.count);
  }

  function arrow(vector, colour, thin = 1, from = [0, 0, 0]) {
    const length = Math.hypot(...vector);
    if (!(length > 1e-3)) return;
    const z = scaled(vector, 1 / length), x = unit(cross(Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0], z)), y = cross(z, x);
    const head = Math.min(HEAD, 0.6 * length), k = head / HEAD, tip = sum(from, scaled(z, length - head));
    put(meshes.shaft, matrix(scaled(x, thin), scaled(y, thin), scaled(z, length - head), from), 0, colour);
    for (const one of [meshes.head, meshes.base]) put(one, matrix(scaled(x, k * thin), scaled(y, k * thin), scaled(z, k), tip), 0, colour);
  }

  function stroke(points, colour, width, fade) {
    const n = points.length, data = new Float32Array(n * 22);
    points.forEach((point, i) => {
      const b = points[Math.max(i - 1, 0)], a = points[Math.min(i + 1, n - 1)];
      data.set([...point, ...b, ...a, 1, i / (n - 1), ...point, ...b, ...a, -1, i / (n - 1)], 22 * i);
    });
    gl.bindVertexArray(ribbon.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, ribbon.store);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    gl.uniform3fv(line.at.u_colour, rgb(colour));
    gl.uniform1f(line.at.u_width, width * (canvas.width / Math.max(canvas.clientWidth, 1)));
    gl.uniform1f(line.at.u_fade, fade ? 1 : 0);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 2 * n);
  }

  function use(own) {
    gl.useProgram(own.made);
    gl.uniformMatrix4fv(own.at.u_view, false, view);
    gl.uniformMatrix4fv(own.at.u_projection, false, projection);
    if (own.at.u_size) gl.uniform2f(own.at.u_size, canvas.width, canvas.height);
  }

  function trail(lane) {
    const last = Math.min(Math.floor(state.time / RUN.interval), lane.rows - 1);
    const rows = Math.round(lane.trail / RUN.interval), first = Math.max(0, last - rows), stride = Math.max(1, Math.floor(rows / 300));
    const points = [];
    for (let row = first + ((stride - (first % stride)) % stride); row <= last; row += stride)
      points.push(rotate(lane.vector("p", row), [0, 0, AXIS]));
    points.push(rotate(lane.attitude(state.time), [0, 0, AXIS]));
    return points;
  }

  function pose(lane) {
    const p = lane.attitude(state.time);
    return [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => rotate(p, axis));
  }

  // Each force at its point of the body, [N] in space.
  function forces(lane) {
    if (!(state.scales.force > 0)) return [];
    const p = lane.attitude(state.time);
    return state.forces.map((told) => {
      const from = rotate(p, told.point), column = told.column && lane.has(told.column);
      const force = column ? lane.linear(told.column, state.time) : !told.force ? [0, 0, 0] : told.frame === "body" ? rotate(p, told.force) : told.force;
      const moved = told.anchor_column && lane.has(told.anchor_column) ? lane.linear(told.anchor_column, state.time) : null;
      const anchor = told.anchor && (moved || told.anchor), guided = told.normal && guidedSpring(from, told.normal, moved || [0, 0, 0]);
      return { vector: scaled(force, FORCE / state.scales.force), from, anchor, guided, symbol: told.symbol };
    });
  }

  // Coil and guide of a spring that slides on a plane through `origin`; as `display/scene/items/forces.py` draws them.
  function guidedSpring(point, normal, origin) {
    const foot = sum(point, scaled(normal, dot(normal, origin) - dot(normal, point)));
    const reach = Math.hypot(...foot), along = reach > 0 ? scaled(foot, 1 / reach) : [0, 0, 0];
    const lift = scaled(cross(along, normal), COIL_LIFT), coil = [];
    const last = 2 * COIL_TURNS + 1, span = sum(point, scaled(foot, -1));
    for (let i = 0; i <= last; i++) {
      const swing = i === 0 || i === last ? 0 : i % 2 ? COIL_WIDTH : -COIL_WIDTH;
      coil.push(sum(sum(foot, lift), sum(scaled(span, i / last), scaled(along, swing))));
    }
    return { coil, guide: [sum(lift, scaled(along, -GUIDE_REACH)), sum(lift, scaled(along, GUIDE_REACH))] };
  }

  // Where the ring is in its channel.
  function slid(lane, frame) {
    const beta = (lane.linear("ring_angle", state.time)[0] * Math.PI) / 180, c = Math.cos(beta), s = Math.sin(beta);
    const x = sum(scaled(frame[0], c), scaled(frame[1], s)), y = sum(scaled(frame[0], -s), scaled(frame[1], c));
    return matrix(x, y, frame[2], scaled(frame[2], RUN.ring.offset));
  }

  // Where a wheel is, turned about its axis by the integral of its speed.
  function wheel(lane, number) {
    const { axes, offset } = RUN.rotors[number], frame = pose(lane), angle = lane.linear(`rotor_${number}`, state.time)[0], c = Math.cos(angle), s = Math.sin(angle);
    const toSpace = (v) => along([0, 1, 2].map((row) => frame.map((axis) => axis[row])), v);
    const [x, y, z] = axes.map(toSpace);
    return matrix(sum(scaled(x, c), scaled(y, s)), sum(scaled(x, -s), scaled(y, c)), z, toSpace(offset));
  }

  // A basis whose third axis is the one of this number, turned by the columns of a rotation.
  const about = (frame, axis) => matrix(frame[(axis + 1) % 3], frame[(axis + 2) % 3], frame[axis]);

  // The axes of the outer ring, which turns about the first axis of the sequence, and of the middle one, in it about the
  // second. The inner one is the body's.
  function rings(lane) {
    const [a, b] = SEQUENCE, axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    const [first, second] = lane.angles(state.time).map((angle) => (angle * Math.PI) / 180);
    const outer = axes.map((axis) => turned(axis, axes[a], first));
    return [outer, axes.map((axis) => turned(turned(axis, axes[b], second), axes[a], first))];
  }

  // From the outer axis to the inner one the colours of ψ, θ and φ; by |det S| the first and the third become alike on the way
  // to the lock, where they are one line, and flash there while it plays, as in the window.
  function pinColours(size, dark) {
    const own = look(), alike = size < LOCKED && dark ? 0 : Math.max(0, 1 - size / BRIGHTENS);
    return own.components.slice(1).map((colour, i) => (i !== 1 ? mixed(own.text, colour, alike) : colour));
  }

  function drawGimbals(lane, frame, own) {
    const [a, b, c] = SEQUENCE, [outer, middle] = rings(lane), second = (lane.angles(state.time)[1] * Math.PI) / 180;
    const size = Math.abs(a === c ? Math.sin(second) : Math.cos(second));
    const locked = size < LOCKED;
    const colours = pinColours(size, state.playing && Math.floor(performance.now() / BLINK) % 2);
    const symbols = RUN.quantities[ANGLES].symbols, normals = [3 - a - b, 3 - b - c, b];
    const letters = [[outer, a], [middle, b], [frame, c]].map(([turn, axis], i) => {
      put(gimbals[i].ring, about(turn, normals[i]), 0, own.components[1 + i]);
      for (const pin of gimbals[i].pins) put(pin, about(turn, axis), 0, colours[i]);
      return [symbols[i], scaled(turn[3 - axis - normals[i]], INNERMOST + (2 - i) * STEP + 0.03), own.components[1 + i]];
    });
    const name = locked ? `gimbal lock, ${symbols[0]} and ${symbols[2]} turn about the same line` : `gimbals ${[...RUN.sequence].join("-")}`;
    remark(`${name}: |det S| = ${size.toFixed(2)}`, locked ? own.danger : own.muted);
    return letters;
  }

  function label(text, at, colour) {
    const e = [0, 1, 2, 3].map((r) => view[r] * at[0] + view[4 + r] * at[1] + view[8 + r] * at[2] + view[12 + r]);
    const x = (projection[0] * e[0]) / -e[2], y = (projection[5] * e[1]) / -e[2];
    const pen = words.getContext("2d"), ratio = words.width / Math.max(words.clientWidth, 1);
    pen.font = `600 ${14 * ratio}px Inter, system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.lineJoin = "round";
    pen.lineWidth = 3 * ratio;
    pen.strokeStyle = look().surface;
    pen.fillStyle = colour;
    const place = [(x * 0.5 + 0.5) * words.width, (0.5 - y * 0.5) * words.height];
    pen.strokeText(text, ...place);
    pen.fillText(text, ...place);
  }

  function draw() {
    mount();
    const own = look(), lanes = shown().filter((lane) => lane.has("p")), first = lanes[0];
    gl.disable(gl.BLEND);
    gl.disable(gl.DEPTH_TEST);
    gl.useProgram(sky.made);
    gl.uniform3fv(sky.at.u_top, rgb(own.sky_top));
    gl.uniform3fv(sky.at.u_bottom, rgb(own.sky_bottom));
    gl.bindVertexArray(whole.array);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.clear(gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    words.getContext("2d").clearRect(0, 0, words.width, words.height);
    use(solid);
    gl.depthMask(false);
    put(meshes.floor, matrix([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, floor]), 3, own.ground_line, own.ground_line, 0.9);
    gl.depthMask(true);
    const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => scaled(axis, 1.75));
    corner.replaceChildren();
    if (first) {
      const frame = pose(first), stands = state.time > first.end + 1e-6;
      const tones = stands ? [own.line, own.muted] : own.body;
      rotors.forEach((drawn, number) => { if (first.has(`rotor_${number}`)) put(drawn, wheel(first, number), 0, own.ring); });
      if (!RUN.body.glass) {
        // The stencil marks where the body is seen, so that ghosts do not tint it.
        gl.enable(gl.STENCIL_TEST);
        gl.stencilFunc(gl.ALWAYS, 1, 1);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
        put(meshes.body, matrix(...frame), 1, tones[0], tones[1]);
        gl.disable(gl.STENCIL_TEST);
      }
      const arrows = frame.map((axis, i) => [scaled(axis, AXIS), own.components[i + 1], ["e₁", "e₂", "e₃"][i], 0.77]);
      for (const [name, symbol] of [["omega", "ω"], ["h", "h"], ["torque", "n"]]) {
        const scale = state.scales[name];
        if (!(scale > 0) || !first.has(name)) continue;
        arrows.push([scaled(first.inSpace(name, state.time), ARROW / scale), own[name], symbol, 1]);
        remark(`${symbol}  1 body radius = ${(scale / ARROW).toPrecision(4)} ${RUN.quantities[name].unit}`, own[name]);
      }
      const pushes = forces(first);
      for (const { vector, from, symbol } of pushes) arrows.push([vector, own.torque, symbol, 0.8, from]);
      if (pushes.length) remark(`f  1 body radius = ${(state.scales.force / FORCE).toPrecision(4)} N`, own.torque);
      for (const [vector, colour, , thin, from] of arrows) arrow(vector, colour, thin, from);
      const letters = state.gimbals && first.has(ANGLES) ? drawGimbals(first, frame, own) : [];
      const slide = ringed && first.has("ring_angle") && slid(first, frame);
      if (slide) put(ringed[0], slide, 0, own.ring);
      use(line);
      for (const { from, anchor, guided } of pushes) {
        if (anchor) stroke([anchor, from], own.torque, 1.5, false);
        if (guided) stroke(guided.guide, own.muted, 3, false);
        if (guided) stroke(guided.coil, own.text, 2, false);
      }
      axes.forEach((axis) => stroke([scaled(axis, -0.2), axis], own.muted, 1, false));
      stroke(trail(first), own.components[3], 2.5, true);
      use(solid);
      gl.depthMask(false);
      // Glass upon glass at one place would only dull the body.
      const ghosts = lanes.slice(1).map((lane) => ({ lane, frame: pose(lane), gone: state.time > lane.end + 1e-6 }));
      const apart = (a, b) => Math.max(...a.flatMap((axis, i) => axis.map((x, j) => Math.abs(x - b[i][j]))));
      const seen = ghosts.filter((one, i) => one.gone || !ghosts.slice(i + 1).some((other) => apart(one.frame, other.frame) < 1e-3));
      if (slide) put(ringed[1], slide, 2, own.ring);
      const flat = RUN.body.shape === "box";
      if (RUN.body.glass) put(meshes.body, matrix(...frame), 2, tones[0]);
      gl.enable(gl.CULL_FACE);
      gl.enable(gl.STENCIL_TEST);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
      for (const { lane, frame: own, gone } of seen) {
        // Round bodies would cut each other along teeth: what shrinks towards the eye stays where it is, and is before the body.
        const distance = apart(own, frame), lift = flat ? 0 : Math.min(2 * distance, 1), nearer = 1 - Math.min(lift / camera.distance, 0.5);
        gl.uniformMatrix4fv(solid.at.u_projection, false, projection.map((x, i) => (i < 12 ? nearer * x : x)));
        // Before the body a ghost shows only as far as it has turned away from it.
        for (const [onBody, share] of [[0, 1], [1, Math.min(5 * distance, 1)]]) {
          gl.stencilFunc(gl.EQUAL, onBody, 1);
          put(meshes.ghosts[LANES.indexOf(lane)], matrix(...own), 2, laneColour(lane), laneColour(lane), share * (flat ? 0.45 : 1) * (gone ? 0.4 : 1));
        }
      }
      gl.disable(gl.CULL_FACE);
      gl.disable(gl.STENCIL_TEST);
      gl.depthMask(true);
      for (const [vector, colour, text, , from = [0, 0, 0]] of arrows)
        if (Math.hypot(...vector) > 1e-3) label(text, sum(from, sum(vector, scaled(unit(vector), 0.1))), colour);
      for (const [text, at, colour] of letters) label(text, at, colour);
      for (const lane of lanes) if (state.time > lane.end + RUN.interval) remark(`${lane.name}: frozen at its last valid time`, laneColour(lane));
    }
    axes.forEach((axis, i) => label("xyz"[i], scaled(axis, 1.06), own.muted));
  }

  function remark(text, colour) {
    const one = document.createElement("p");
    one.textContent = text;
    one.style.color = colour;
    corner.append(one);
  }

  function orbit(right, up) {
    const about = turned(camera.back, [0, 0, 1], -right), tilted = turned(about, unit(cross([0, 0, 1], about)), -up);
    camera.back = unit(Math.abs(tilted[2]) < 0.995 ? tilted : about);
    changed();
  }

  function zoom(factor) {
    camera.distance = Math.min(Math.max(camera.distance / factor, 2.2), 60);
    changed();
  }

  const place = canvas.parentElement, fingers = new Map();
  place.addEventListener("pointerdown", (event) => {
    place.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, event);
  });
  place.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    if (other) {
      const apart = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
      zoom(apart(event) / Math.max(apart(last), 1));
    } else orbit((event.clientX - last.clientX) * 0.008, -(event.clientY - last.clientY) * 0.008);
    fingers.set(event.pointerId, event);
  });
  for (const kind of ["pointerup", "pointercancel"]) place.addEventListener(kind, (event) => fingers.delete(event.pointerId));
  place.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.0015));
  }, { passive: false });
  return { draw, forces, rings, wheel, pinColours, onchange: (then) => { changed = then; } };
}
