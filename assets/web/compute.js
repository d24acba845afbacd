// Newton-Euler, Hamilton and 3-2-1 Euler angles with the classical Runge-Kutta method, about principal axes and under
// forces and torques with constant components. The equations are those of `quatviz/physics/formulations`; tests compare
// both in a browser. SI units; p is scalar first and turns body components to space.

// A^T v with A = G L^T off the unit sphere as well, as loads are defined there.
function toBody([e0, ...e], v) {
  const scale = e0 * e0 - dot(e, e), along = 2 * dot(e, v), across = cross(e, v);
  return v.map((x, i) => scale * x + along * e[i] - 2 * e0 * across[i]);
}

// p' = 1/2 L^T omega.
const attitudeRate = ([e0, e1, e2, e3], [w1, w2, w3]) => [
  0.5 * (-e1 * w1 - e2 * w2 - e3 * w3), 0.5 * (e0 * w1 - e3 * w2 + e2 * w3),
  0.5 * (e3 * w1 + e0 * w2 - e1 * w3), 0.5 * (-e2 * w1 + e1 * w2 + e0 * w3),
];

// The torque [N m, body] of all loads.
function torqueOf(loads, p) {
  let torque = [0, 0, 0];
  for (const { frame, vector, point } of loads) {
    const inBody = frame === "space" ? toBody(p, vector) : vector;
    torque = sum(torque, point ? cross(point, inBody) : inBody);
  }
  return torque;
}

// V = -f^T A u [J] of all forces with constant components in space.
function potentialOf(loads, p) {
  let potential = 0;
  for (const { frame, vector, point } of loads)
    if (frame === "space" && point) potential -= dot(toBody(p, vector), point);
  return potential;
}

// omega' = J^-1 (n - omega x J omega).
function omegaRate({ inertia: [j1, j2, j3], loads }, p, [w1, w2, w3]) {
  const [n1, n2, n3] = torqueOf(loads, p);
  return [((j2 - j3) * w2 * w3 + n1) / j1, ((j3 - j1) * w3 * w1 + n2) / j2, ((j1 - j2) * w1 * w2 + n3) / j3];
}

// The columns of S for the angles psi, theta, phi, with omega = S q'. The third is the first body axis.
function angleAxes([, theta, phi]) {
  const c2 = Math.cos(theta), s2 = Math.sin(theta), c3 = Math.cos(phi), s3 = Math.sin(phi);
  return { c2, s2, c3, s3, first: [-s2, c2 * s3, c2 * c3], second: [0, c3, -s3] };
}

// q' from omega, which grows as 1/cos theta.
function angleRates(q, [w1, w2, w3]) {
  const { c2, s2, c3, s3 } = angleAxes(q), psi = (w2 * s3 + w3 * c3) / c2;
  return [psi, w2 * c3 - w3 * s3, w1 + psi * s2];
}

const omegaOfAngles = ([, , , psi, theta, phi], { first, second }) =>
  sum(sum(scaled(first, psi), scaled(second, theta)), [phi, 0, 0]);

function attitudeOfAngles(q) {
  const [c1, c2, c3] = q.slice(0, 3).map((x) => Math.cos(x / 2)), [s1, s2, s3] = q.slice(0, 3).map((x) => Math.sin(x / 2));
  return [c1 * c2 * c3 + s1 * s2 * s3, c1 * c2 * s3 - s1 * s2 * c3, c1 * s2 * c3 + s1 * c2 * s3, s1 * c2 * c3 - c1 * s2 * s3];
}

// Of each formulation: the state at the start, its rate, and p and omega of a state.
const MODELS = {
  newton_euler: {
    start: ({ omega, p }) => [...omega, ...p],
    rate: (body, y) => { const w = y.slice(0, 3), p = y.slice(3); return [...omegaRate(body, p, w), ...attitudeRate(p, w)]; },
    observe: (body, y) => [y.slice(3), y.slice(0, 3)],
  },
  hamilton: {
    start: ({ inertia, omega, p }) => [...omega.map((w, i) => inertia[i] * w), ...p],
    rate({ inertia, loads }, y) {
      const h = y.slice(0, 3), p = y.slice(3), w = h.map((x, i) => x / inertia[i]);
      return [...sum(cross(h, w), torqueOf(loads, p)), ...attitudeRate(p, w)];
    },
    observe: ({ inertia }, y) => [y.slice(3), y.slice(0, 3).map((x, i) => x / inertia[i])],
  },
  "euler_angles/321": {
    start: ({ omega, angles }) => [...angles, ...angleRates(angles, omega)],
    rate(body, y) {
      const [psi, theta, phi] = y.slice(3), axes = angleAxes(y), { c2, s2, c3, s3 } = axes;
      // omega' = S q'' + S' q'
      const drift = [-psi * theta * c2, psi * (phi * c2 * c3 - theta * s2 * s3) - theta * phi * s3,
        -psi * (theta * s2 * c3 + phi * c2 * s3) - theta * phi * c3];
      const rate = omegaRate(body, attitudeOfAngles(y), omegaOfAngles(y, axes));
      return [psi, theta, phi, ...angleRates(y, sum(rate, scaled(drift, -1)))];
    },
    observe: (body, y) => [attitudeOfAngles(y), omegaOfAngles(y, angleAxes(y))],
    // det S; |omega x e1| is how fast the third axis moves towards the first.
    singularity: (y) => angleAxes(y).c2,
    approach: (y) => Math.hypot(...omegaOfAngles(y, angleAxes(y)).slice(1)),
  },
};

function rungeKutta4(rate, y, dt) {
  const at = (k, step) => y.map((x, i) => x + step * k[i]);
  const k1 = rate(y), k2 = rate(at(k1, 0.5 * dt)), k3 = rate(at(k2, 0.5 * dt)), k4 = rate(at(k3, dt));
  return y.map((x, i) => x + (dt / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}

// Euler angles [rad] of a sequence, as `physics/mechanics/euler_sequences.py` finds them.
function anglesOf(p, sequence) {
  const [i, j, last] = [...sequence].map((digit) => Number(digit) - 1), k = 3 - i - j, hand = (j - i + 3) % 3 === 1 ? 1 : -1;
  const [e0, ...e] = p[0] < 0 ? p.map((x) => -x) : p, repeated = last === i;
  const [a, b, c, d] = repeated ? [e0, e[i], e[j], hand * e[k]] : [e0 + hand * e[j], e[i] + e[k], e[j] - hand * e0, hand * (e[k] - e[i])];
  const cosine = Math.hypot(a, b), sine = Math.hypot(c, d), none = 1e-14 * Math.hypot(cosine, sine);
  let half = Math.atan2(b, a), difference = Math.atan2(d, c);
  if (sine <= none) difference = half;
  if (cosine <= none) half = difference;
  let t1 = half + difference, t2 = 2 * Math.atan2(sine, cosine), t3 = half - difference;
  const wrap = (x) => (x > Math.PI ? x - 2 * Math.PI : x <= -Math.PI ? x + 2 * Math.PI : x);
  if (!repeated && hand > 0) {
    const turn = sine <= none || cosine <= none ? 0 : Math.PI;
    [t1, t2, t3] = [wrap(t1) - turn, -t2, wrap(t3) + turn];
  }
  return [wrap(t1), repeated ? t2 : t2 + (hand * Math.PI) / 2, wrap(t3)];
}

// The states of a lane at the rows of the page, how it ended and when; null if `pause`, awaited now and then, says stop.
async function integrate(name, problem, pause) {
  const model = MODELS[name], { dt, steps, row, lock, steps_to_lock: margin } = problem, rate = (y) => model.rate(problem, y);
  let y = model.start(problem);
  const sign = model.singularity?.(y), rows = [y];
  const singular = () => {
    const size = model.singularity?.(y);
    return size !== undefined && !(Math.abs(size) > lock && Math.abs(size) > margin * dt * model.approach(y) && size * sign >= 0);
  };
  const status = () => (y.some((x) => !Number.isFinite(x)) ? "not_finite" : singular() ? "singular" : "ok");
  let number = 0;
  for (let now = status(); ; now = status()) {
    if (now !== "ok") return { rows, end: y, time: number * dt, status: now };
    if (number && number % row === 0) rows.push(y);
    if (number === steps) return { rows, end: y, time: number * dt, status: now };
    y = rungeKutta4(rate, y, dt);
    number += 1;
    if (number % 1000 === 0 && !(await pause(number / steps))) return null;
  }
}

// The quantities of the page from p and omega: one column each, in double precision.
function columnsOf(name, problem, states, sequence) {
  const { inertia, loads } = problem, seen = states.map((y) => MODELS[name].observe(problem, y));
  const momentum = (w) => w.map((x, i) => inertia[i] * x), kinetic = (w) => 0.5 * dot(w, momentum(w));
  const normal = (p) => { const size = Math.hypot(...p); return p.map((x) => x / size); };
  const energy = ([p, w]) => kinetic(w) + potentialOf(loads, p), size = ([, w]) => Math.hypot(...momentum(w));
  const first = energy(seen[0]), scale = Math.max(Math.abs(first), kinetic(seen[0][1])) || 1, length = size(seen[0]);
  const columns = {
    p: ([p]) => p,
    omega: ([, w]) => w,
    h: ([, w]) => momentum(w),
    kinetic: ([, w]) => [kinetic(w)],
    potential: ([p]) => [potentialOf(loads, p)],
    energy_drift: (pair) => [(energy(pair) - first) / scale],
    constraint: ([p]) => [p.reduce((a, x) => a + x * x, 0) - 1],
    momentum_drift: (pair) => [(size(pair) - length) / (length || 1)],
    torque: ([p]) => torqueOf(loads, normal(p)),
    [`angles_${sequence}`]: ([p]) => anglesOf(p, sequence).map((x) => (x * 180) / Math.PI),
  };
  return Object.fromEntries(Object.entries(columns).map(([key, of]) => [key, seen.map(of)]));
}

// Why no body has these principal moments, or "".
function inertiaFault(inertia) {
  const names = ["J₁", "J₂", "J₃"], total = inertia[0] + inertia[1] + inertia[2];
  const index = inertia.findIndex((j) => j > (total - j) * (1 + 1e-9));
  if (index < 0) return "";
  const [a, b] = names.filter((_, i) => i !== index);
  return `No body has these moments: ${names[index]} is larger than ${a} + ${b}. Make it smaller.`;
}
