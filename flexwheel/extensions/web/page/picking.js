"use strict";
/* What a click finds, and the history that it has: a node of a flexible wheelset, a wheel, a body. */

const NEAR_WHEEL = 14, NEAR_NODE = 9; // [CSS px]
const WHEEL_QUANTITIES = {
  Q: { label: "Q, downward on the rail", unit: "kN", factor: 1e-3 },
  Y: { label: "Y, to the field side", unit: "kN", factor: 1e-3 },
  T: { label: "force along the rail, on the rail", unit: "kN", factor: 1e-3 },
  ratio: { label: "Y/Q", unit: "-", factor: 1 },
  pressure: { label: "largest pressure of its patches", unit: "MPa", factor: 1e-6 },
  rail: { label: "vertical deflection of the rail", unit: "um", factor: 1e6 },
  rough_z: { label: "irregularity of the rail, up positive", unit: "mm", factor: 1e3 },
  rough_y: { label: "irregularity of the rail, left positive", unit: "mm", factor: 1e3 },
};
const BODY_QUANTITIES = {
  lateral: { label: "lateral place, left positive", unit: "mm", factor: 1e3, row: 1 },
  vertical: { label: "height above the rails", unit: "mm", factor: 1e3, row: 2 },
  yaw: { label: "yaw", unit: "mrad", factor: 1e3, row: 3 },
  roll: { label: "roll", unit: "mrad", factor: 1e3, row: 4 },
};

/* What a run has of its wheels: patches, their pressure, deflection and irregularity of the rails under them. */
function wheelsHave(scene) {
  const rows = scene.run.wheels.map((w) => scene.get("patch", `${w}/0`, 0)).filter((r) => r);
  const [rail, rough] = ["rail_displacement", "irregularity"].map((what) => !!scene.get(what, scene.run.wheels[0], 0));
  return { patches: rows.length > 0, pressure: rows.some((r) => r.scale[4] > 0), rail, rough_z: rough, rough_y: rough };
}
/* Names of the quantities of wheels that a run has. */
function wheelQuantities(scene) {
  const has = wheelsHave(scene);
  return Object.keys(WHEEL_QUANTITIES).filter((name) => has[name] !== false);
}

function wheelValue(scene, wheel, name, k) {
  const force = scene.get("wheel_force", wheel);
  if (name === "rail") return scene.get("rail_displacement", wheel).at(2, k);
  if (name.startsWith("rough")) return scene.get("irregularity", wheel).at(name === "rough_y" ? 0 : 1, k);
  if (name === "pressure") return scene.wheelPressure(wheel, k);
  if (name === "ratio") return force.at(2, k) > 1 ? force.at(1, k) / force.at(2, k) : NaN;
  return force.at({ T: 0, Y: 1, Q: 2 }[name], k);
}

/* { title, q, values } of what is chosen, over samples; values in the unit shown. */
function historyOf(item, view, rows) {
  const { scene } = item;
  let q, title, values;
  if (item.wheel) {
    [q, title] = [WHEEL_QUANTITIES[view.wheel_quantity], `Wheel ${item.wheel}`];
    values = rows.map((k) => wheelValue(scene, item.wheel, view.wheel_quantity, k));
  } else if (item.body) {
    const own = scene.run.colours.length > 0;
    [q, title] = own ? [QUANTITIES[view.quantity], `Vehicle ${item.body}`] : [BODY_QUANTITIES[view.body_quantity], `Body ${item.body}`];
    values = rows.map((k) => (own ? scene.bodyValue(view.quantity, item.body, k) : scene.get("body", item.body).at(q.row, k)));
  } else {
    const f = scene.flexible[item.wheelset], point = view.turning ? "rotating" : "fixed";
    q = QUANTITIES[view.quantity];
    title = `Wheelset ${item.wheelset}, node ${item.id}, ${point === "fixed" && f.surface.harmonic ? "fixed point" : "rotating point"}`;
    values = scene.values(item.wheelset, item.id, view.quantity, point, rows);
  }
  return { title, q, values: Float64Array.from(values, (v) => v * q.factor) };
}

/* What lies under a place of the canvas [CSS px]: { scene, wheelset, id }, { scene, wheel }, { scene, body } or null. */
function pickAt(stage, x, y) {
  x *= stage.ratio;
  y *= stage.ratio;
  const inside = stage.scenes.find((s) => s.port && x >= s.port.x && x < s.port.x + s.port.width);
  if (!inside) return null;
  stage.port = inside.port;
  return wheelAt(stage, inside, x, y) || nodeAt(stage, inside, x, y) || bodyAt(stage, inside, x, y);
}

function wheelAt(stage, scene, x, y) {
  if (!stage.view.forces) return null;
  const k = stage.rows[stage.scenes.indexOf(scene)];
  let best = null;
  for (const wheel of scene.run.wheels) {
    const at = stage.project(scene.wheelPoint(wheel, k)), away = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
    if (away < NEAR_WHEEL * stage.ratio && (!best || at[2] < best.depth)) best = { depth: at[2], wheel };
  }
  return best && { scene, wheel: best.wheel };
}

function nodeAt(stage, scene, x, y) {
  let best = null;
  for (const [name, f] of Object.entries(scene.flexible)) {
    if (!f.model) continue;
    for (let k = 0; k < f.surface.nodes; k++) {
      const at = stage.project(Matrix.at(f.model, f.place.subarray(3 * k, 3 * k + 3))), away = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (away < NEAR_NODE * stage.ratio && (!best || at[2] + 0.002 * away < best.depth)) best = { depth: at[2] + 0.002 * away, name, k };
    }
  }
  if (!best) return null;
  const f = scene.flexible[best.name], index = stage.view.turning ? scene.material(f, best.k) : best.k;
  return { scene, wheelset: best.name, id: f.surface.node_id[index] };
}

/* The nearest rigid wheel, or else body, whose box the line of sight meets. */
function bodyAt(stage, scene, x, y) {
  const { eye, target, aspect } = scene.port, k = stage.rows[stage.scenes.indexOf(scene)], ahead = unit(minus(target, eye));
  const right = unit(cross(ahead, [0, 0, 1])), up = cross(right, ahead), half = Math.tan(VIEW_ANGLE / 2);
  const u = (2 * (x - scene.port.x)) / scene.port.width - 1, v = 1 - (2 * y) / scene.port.height;
  const way = ahead.map((a, n) => a + half * (aspect * u * right[n] + v * up[n]));
  let best = null;
  const meets = (name, low, high, found) => {
    const m = scene.frame(name, k), from = minus(eye, [m[12], m[13], m[14]]);
    let [near, far] = [0, Infinity];
    for (let n = 0; n < 3; n++) {
      const axis = [m[4 * n], m[4 * n + 1], m[4 * n + 2]], p = dot(from, axis), d = dot(way, axis) || 1e-12;
      const [a, b] = [(low[n] - p) / d, (high[n] - p) / d];
      [near, far] = [Math.max(near, Math.min(a, b)), Math.min(far, Math.max(a, b))];
    }
    if (near < far && near > 0 && (!best || near < best.near)) best = { near, found };
  };
  for (const wheel of scene.run.wheels) {
    const name = wheel.slice(0, wheel.lastIndexOf(" ")), at = scene.side(wheel) * scene.parts.wheel.y, r = scene.parts.wheel.radius;
    meets(name, [-r, at - 0.07, -r], [r, at + 0.07, r], { scene, wheel });
  }
  if (best || !stage.view.vehicle) return best && best.found;
  for (const [name, [length, width, low, high]] of Object.entries(scene.parts.boxes)) {
    const cross = scene.line ? stage.view.cross : 1;
    meets(name, [-length, -cross * width, cross * low], [length, cross * width, cross * high], { scene, body: name });
  }
  return best && best.found;
}

/* The wheels' surfaces as drawn at their patches, less the patches' places on the rails: [{ wheel, normal, gap, across }].
   The wheel's point is sought: what a run keeps for the wheel is the deepest one, for the rail the middle of the load. */
function gapsOf(scene, k) {
  return scene.run.wheels.flatMap((wheel) => {
    const wheelset = wheel.slice(0, wheel.lastIndexOf(" ")), frame = scene.frame(wheelset, k), side = scene.side(wheel);
    return scene.patches(wheelset, wheel, k).map((p) => {
      const [c, s] = [Math.cos(p.slope), Math.sin(p.slope)];
      let [x, y] = [p.on_wheel[0], side * p.on_wheel[1] - scene.parts.wheel.y], gap, across;
      for (let n = 0; n < 5; n++) {
        const on = scene.onWheel(wheel, x, y), moved = scene.drawnAt(wheelset, on), [, dy, dz] = minus(Matrix.at(frame, on.map((v, m) => v + moved[m])), p.place);
        [gap, across] = [c * dz - s * dy, c * dy + s * dz];
        if (n < 4) y -= side * c * across;
      }
      return { wheel, normal: p.normal, gap, across };
    });
  });
}

const FOLDED = 0.4; // of the sampling rate: above, a spectrum of samples without a filter has what was folded back

/* [highest frequency at which the spectrum of what is chosen holds, why], or null where nothing says so. */
function bandOf(item, view, step) {
  const { run, track } = item.scene, known = run.valid[item.wheel ? `${item.wheel} ${{ T: "T", Y: "Y", ratio: "Y", rough_y: "-", rough_z: "-" }[view.wheel_quantity] ?? "Q"}` : item.wheelset ? "node" : ""];
  const here = [FOLDED / step, run.tracks.length > 1 && track === 0 ? "the page has every n-th sample of the run here, without a filter; choose all samples" : `samples every ${shown(1e3 * step)} ms`];
  return known && known[0] < here[0] ? known : here;
}

/* What does not hold at a control node, in words. */
function marksOf(item) {
  const c = item.wheelset && item.scene.run.control.find((one) => one.node === item.id && one.wheelset === item.wheelset);
  return c ? ` Control node ${c.name}: ${wordsOf(c)}.` : "";
}
function wordsOf(c) {
  const words = c.error > 0 ? [`mesh puts stress off by about ${Math.round(100 * c.error)} %`] : [];
  if (c.corner > 0) words.push(`a corner of ${c.corner} degrees without a radius, where stress has no limit`);
  if (c.spread) words.push("the contact force is spread over nodes there");
  return words.join("; ") || "no mark";
}

/* [[mode, share]] of a node's displacement at a sample, the largest first; shares are of its size, along itself. */
function sharesOf(item, k, most = 6) {
  const f = item.scene.flexible[item.wheelset], s = f.surface, index = s.index.get(item.id), { w, loads } = item.scene.coordinates(item.wheelset, k);
  const section = index % s.sections, all = s.node(new Float64Array(9), index, w, loads, section, 0, true).slice(0, 3), size = Math.hypot(...all) || 1;
  const share = (weights, with_loads) => dot(s.node(new Float64Array(9), index, weights, with_loads, section, 0, true).slice(0, 3), all) / size ** 2;
  const found = Array.from(w, (v, h) => { const one = new Float64Array(w.length); one[h] = v; return [`mode ${h + 1}, ${s.frequency[h].toFixed(0)} Hz`, share(one, null)]; });
  if (loads) found.push(["static part beyond the modes", share(new Float64Array(w.length), loads)]);
  return found.sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])).slice(0, most);
}
