"use strict";
/* One run as it is drawn: its state at a sample, the fields of its wheelsets, what stands around them. The scene's
   origin moves with the leading wheelset along the track, which is drawn straight: x running, y left, z up. */

const ARROW = 0.5; // [m] of the largest force of a wheel
const PATCH_FACTOR = 5; // of the size of patches
const PATCHES = 6; // of one wheel at most, as results have them
const RECOVERED = ["von_mises", "tension", "compression", "displacement", "radial_displacement"]; // of control nodes, at the fixed point, then at the rotating
const FIELD = 0.1; // [m] from a patch, within which its own field counts, which a page is without: beyond, under 1 MPa in the AS4
const STRIPS_AT = 5e-5; // [m] within which a patch and the strips of a place are one
const ONE_PLACE = 1e-5; // [m] zones that merge have two readings at one place, each with a share of the load
const SWING = 0.12; // [m] at first, of the largest displacement of a complex mode, turning taken at 1 m
const FEW = 20; // samples for which a node's value is taken by Fourier's series
const BED = 1.0; // [1/m] of the line drawn between wheels: a beam on an elastic bed

/* The line of a beam on an elastic bed at a distance from its load, over that at the load. */
const sagShape = (x) => { const away = BED * Math.abs(x); return away > 6 ? 0 : Math.exp(-away) * (Math.cos(away) + Math.sin(away)); };

/* A point turned about the axle. */
const turned = (p, angle) => { const [c, s] = [Math.cos(angle), Math.sin(angle)]; return [c * p[0] + s * p[2], p[1], c * p[2] - s * p[0]]; };

/* Height of a profile [[across, height]] at `across`. */
function heightAt(q, across) {
  const n = Math.max(1, q.findIndex((p, k) => k > 0 && across <= p[0]));
  return q[n - 1][1] + ((across - q[n - 1][0]) / (q[n][0] - q[n - 1][0])) * (q[n][1] - q[n - 1][1]);
}

/* About so many of the points of a profile, its ends among them. */
const thinned = (points, count) => { const every = Math.max(1, Math.round(points.length / count)); return points.filter((_, n) => n % every === 0 || n === points.length - 1); };

class RunScene {
  constructor(run, surfaces, arrays, drawing, meshes) {
    const known = Object.entries(meshes).filter(([name]) => run.bodies.includes(name)); // of the user, for bodies
    this.meshes = Object.fromEntries(known.map(([name, { mesh }]) => [name, mesh]));
    Object.assign(this, { run, arrays, drawing, track: 0, parts: { ...run.parts, boxes: { ...run.parts.boxes, ...Object.fromEntries(known.filter(([name]) => name in run.parts.boxes).map(([name, { box }]) => [name, box])) } } });
    this.wheelsets = run.parts.wheelsets;
    this.lead = this.wheelsets[0] ?? run.bodies[0];
    this.line = arrays[`${run.key}/line`];
    this.flexible = {};
    for (const [name, known] of Object.entries(run.flexible)) {
      const surface = surfaces[known.surface];
      const field = (count) => Array.from({ length: count }, () => new Float32Array(surface.nodes));
      this.flexible[name] = {
        ...known, surface, mesh: drawing.mesh(surface.faces, surface.edges, 2), displacement: field(3), stress: field(6),
        place: new Float32Array(3 * surface.nodes), extra: new Float32Array(2 * surface.nodes), values: new Float32Array(surface.nodes),
      };
    }
    if (run.found) this.foundMesh(arrays);
    this.means = run.tracks.map((_, k) => Object.fromEntries(Object.keys(this.flexible).map((w) => [w, {
      w: this.get("modal", w, k).means(), loads: this.flexible[w].standing ? this.get("loads", w, k).means() : null }])));
    this.bumps = Object.fromEntries(run.wheels.map((w) => [w, this.get("rail_displacement", w, 0)]));
    this.rigid = {};
  }

  /* Surface coloured by what its nodes were taken for. */
  foundMesh(arrays) {
    const [f] = Object.values(this.flexible), s = f.surface, of = arrays[`${f.surface.key}/class`], rgb = this.run.found.classes.map((c) => rgbOf(c.colour));
    const at = (c) => s.position.filter((_, n) => n % 3 === c), ends = [0, 1, 2].map((c) => at(c).reduce((m, v) => [Math.min(m[0], v), Math.max(m[1], v)], [0, 0]));
    this.extent = Math.max(...ends.map(([a, b]) => b - a)); // [m]
    f.found = this.drawing.mesh(s.faces, s.edges, 4);
    this.drawing.fill(f.found, s.position, Float32Array.from({ length: 4 * s.nodes }, (_, n) => (n % 4 === 3 ? 1 : rgb[of[n >> 2]][n % 4])));
  }

  get(what, name, track = this.track) {
    return this.arrays[`${this.run.key}/track${track}/${what}${name === undefined ? "" : `/${name}`}`];
  }
  get samples() { return this.run.tracks[this.track].samples; }
  time(k) { return this.run.tracks[this.track].first + this.get("time")[k]; }
  row(time) {
    const all = this.get("time"), wanted = time - this.run.tracks[this.track].first;
    let low = 0, high = all.length - 1;
    while (high - low > 1) { const middle = (low + high) >> 1; if (all[middle] <= wanted) low = middle; else high = middle; }
    return wanted - all[low] <= all[high] - wanted ? low : high;
  }

  body(name, k) {
    const p = this.get("body", name), moved = this.swing(name), at = (r) => p.at(r, k) + (moved ? moved[r] : 0), spin = this.get("spin", name)[k] + (moved ? moved[5] : 0);
    if (!this.line) return { place: [at(0), at(1), at(2)], yaw: at(3), roll: at(4), spin };
    const { place: [x, y, z], yaw } = this.along(at(0), k);
    return { place: [x - at(1) * Math.sin(yaw), y + at(1) * Math.cos(yaw), z + at(2)], yaw: yaw + at(3), roll: at(4), spin };
  }
  /* What a complex mode adds to the place and angles of a body, or null. view.mode -1 - m: the m-th motion. */
  swing(name) {
    if (!this.view || this.view.mode === null || this.view.mode >= 0 || !this.run.motions.length) return null;
    const all = this.arrays[`${this.run.key}/motions`], m = -1 - this.view.mode, from = 12 * (m * this.run.bodies.length + this.run.bodies.indexOf(name));
    const [c, s] = [Math.cos(this.view.phase), Math.sin(this.view.phase)];
    return Array.from({ length: 6 }, (_, r) => this.view.swing * (all[from + 2 * r] * c - all[from + 2 * r + 1] * s));
  }
  /* Place and heading of the track `ahead` of the leading body, in its axes. */
  along(ahead, k) {
    if (!this.line) return { place: [ahead, 0, 0], yaw: 0 };
    const s0 = this.get("place")[k], [x0, y0, z0, h0] = this.lineAt(s0), [x, y, z, h] = this.lineAt(s0 + ahead);
    const [dx, dy] = [x - x0, y - y0], [c, s] = [Math.cos(h0), Math.sin(h0)];
    return { place: [c * dx + s * dy, c * dy - s * dx, z - z0], yaw: h - h0 };
  }
  lineAt(s) {
    const n = this.line.length / 5, step = (this.line[n - 1] - this.line[0]) / (n - 1), at = (s - this.line[0]) / step;
    const low = Math.min(n - 2, Math.max(0, Math.floor(at))), part = at - low;
    return [1, 2, 3, 4].map((r) => this.line[r * n + low] * (1 - part) + this.line[r * n + low + 1] * part);
  }
  /* Value of a quantity of bodies that the run's kind declares, in its own unit. */
  bodyValue(name, body, k) { return this.get(name).at(this.run.bodies.indexOf(body), k); }
  /* Frame of a body; a wheelset's does not spin with it. */
  frame(name, k) {
    const b = this.body(name, k), own = this.wheelsets.includes(name);
    return Matrix.pose(b.place, b.yaw, b.roll, own ? 0 : b.spin);
  }

  coordinates(name, k) {
    const w = this.get("modal", name), loads = this.get("loads", name);
    return { w: w.column(k, new Float64Array(w.count)), loads: loads ? loads.column(k, new Float64Array(loads.count)) : null };
  }

  /* What a wheelset shows at a sample, into its buffers. view: of panel.js */
  update(name, k, view) {
    const f = this.flexible[name], s = f.surface, spin = this.get("spin", name)[k];
    const turning = view.turning && s.harmonic, { shift, angle } = turning ? s.ahead(spin) : { shift: 0, angle: 0 };
    let { w, loads } = this.coordinates(name, k);
    if (view.mode !== null) { w = view.mode < 0 ? this.motionAlone(s, view, name) : this.modeAlone(s, view); loads = null; }
    const still = this.means[this.track][name], one = view.mode !== null || view.static === view.dynamic;
    const mixed = (a, b) => (one || !a ? a : a.map((x, n) => view.static * b[n] + view.dynamic * (x - b[n])));
    s.displacement(f.displacement, mixed(w, still.w), mixed(loads, still.loads), angle);
    s.moved(f.place, f.displacement, one ? (view.mode !== null ? 1 : view.dynamic) : 1, angle);
    const stress = STRESS.has(view.quantity) && s.stress && view.mode === null;
    if (stress) for (let c = 0; c < 6; c++) s.component(f.stress[c], c + 3, w, loads, angle);
    else if (!one) s.displacement(f.displacement, w, loads, angle);
    Object.assign(f, { shift, angle, row: k });
    this.paint(f, view, stress, stress ? this.ownPatches(name, k) : []);
    this.drawing.fill(f.mesh, f.place, f.extra);
  }

  /* Places of the loaded patches on a wheelset's undeformed surface, axes of its mesh. */
  ownPatches(name, k) {
    const spin = this.flexible[name].spinning ? this.body(name, k).spin : 0;
    return [" left", " right"].flatMap((side) => this.patches(name, name + side, k)).map((p) => turned(p.on_wheel, -spin));
  }

  paint(f, view, stress, patches) {
    const s = f.surface, [d, t] = [f.displacement, f.stress], name = view.mode !== null ? "displacement" : view.quantity;
    const p = new Float64Array(9), hide = stress && !view.spread;
    const near = (k) => { const at = turned(s.position.subarray(3 * k, 3 * k + 3), f.angle); return patches.some((p) => Math.hypot(...minus(at, p)) < FIELD); };
    let best = -Infinity, where = 0, least = Infinity;
    for (let k = 0; k < s.nodes; k++) {
      let value;
      if (stress && name === "von_mises") value = vonMises(t[0][k], t[1][k], t[2][k], t[3][k], t[4][k], t[5][k]);
      else {
        for (let c = 0; c < 3; c++) p[c] = d[c][k];
        if (stress) for (let c = 0; c < 6; c++) p[c + 3] = t[c][k];
        value = s.quantity(stress || !STRESS.has(name) ? name : "displacement", p, k);
      }
      f.values[k] = value;
      f.extra[2 * k] = value;
      const hidden = Number.isNaN(value) || (hide && (s.spread[k] & 1) === 1), pale = !hidden && hide && s.spread[k] > 1 && near(k);
      f.extra[2 * k + 1] = hidden ? 1 : pale ? 0.5 : 0;
      if (hidden || pale) continue;
      if ((name === "compression" ? -value : value) > best) { best = name === "compression" ? -value : value; where = k; }
      if (value < least) least = value;
    }
    Object.assign(f, { largest: f.values[where], where, least });
  }

  modeAlone(s, view) {
    const w = new Float64Array(s.modes), size = this.modeSize(s, view.mode);
    w[view.mode] = (0.06 * s.width * Math.sin(view.phase)) / size;
    return w;
  }
  motionAlone(s, view, name) {
    const all = this.arrays[`${this.run.key}/motion_modal/${name}`], m = -1 - view.mode, [c, d] = [Math.cos(view.phase), Math.sin(view.phase)];
    if (!all) return new Float64Array(s.modes);
    return Float64Array.from({ length: s.modes }, (_, h) => view.swing * (all[2 * (m * s.modes + h)] * c - all[2 * (m * s.modes + h) + 1] * d));
  }
  modeSize(s, mode) {
    s.sizes ??= {};
    if (!s.sizes[mode]) {
      const w = new Float64Array(s.modes), parts = [0, 1, 2].map(() => new Float32Array(s.nodes));
      w[mode] = 1;
      s.displacement(parts, w, null, 0);
      s.sizes[mode] = parts[0].reduce((top, x, k) => Math.max(top, Math.hypot(x, parts[1][k], parts[2][k])), 1e-30);
    }
    return s.sizes[mode];
  }

  /* Index of a node as drawn -> that of the material there, and back. */
  material(f, index, sign = -1) {
    const s = f.surface;
    if (!s.harmonic || index >= s.ringed) return index;
    const S = s.sections, section = index % S;
    return index - section + ((((section + sign * f.shift) % S) + S) % S);
  }

  /* Values that the run itself recovered at a control node near the running surface, with the field of its patches. */
  recovered(name, node, quantity) { return RECOVERED.includes(quantity) && this.get("recovered", `${name}/${node}`); }
  /* Quantity at a node over all samples of the track, or at one; point: rotating or fixed. */
  values(name, node, quantity, point, rows) {
    const f = this.flexible[name], s = f.surface, index = s.index.get(node), out = new Float64Array(rows.length), p = new Float64Array(9);
    if (index === undefined) throw new Error(`no surface node ${node}`);
    const own = this.recovered(name, node, quantity);
    if (own) return out.map((_, n) => own.at(RECOVERED.indexOf(quantity) + (point === "rotating" || !s.harmonic ? RECOVERED.length : 0), rows[n]));
    const modal = this.get("modal", name), load = this.get("loads", name), w = new Float64Array(modal.count);
    const loads = load ? new Float64Array(load.count) : null, spin = this.get("spin", name), home = index % s.sections;
    rows.forEach((k, n) => {
      modal.column(k, w);
      if (load) load.column(k, loads);
      let section = home, angle = 0;
      if (point === "rotating" && s.harmonic && index < s.ringed) {
        const ahead = s.ahead(spin[k]);
        section = ((home + ahead.shift) % s.sections + s.sections) % s.sections;
        angle = ahead.angle;
      }
      out[n] = s.quantity(quantity, s.node(p, index, w, loads, section, angle, rows.length < FEW), index);
    });
    return out;
  }

  side(wheel) { return wheel.endsWith(" left") ? 1 : -1; }
  /* Profile of a wheel, and left or right rail, which may have their own. */
  profileOf(wheel) { return this.parts.wheels?.[wheel] ?? this.parts.wheel.profile; }
  railOf(side) { return this.parts.rails?.[side > 0 ? "left" : "right"] ?? this.parts.rail; }
  wheelRadius(y, wheel) {
    const q = this.profileOf(wheel);
    for (let k = 1; k < q.length; k++) if (y <= q[k][0]) {
      const part = (y - q[k - 1][0]) / (q[k][0] - q[k - 1][0]);
      return this.parts.wheel.radius + q[k - 1][1] + part * (q[k][1] - q[k - 1][1]);
    }
    return this.parts.wheel.radius;
  }

  /* Loaded patches of a wheel at a sample, scene axes: on the rail as drawn, which both sides of the contact share;
     the wheel's own surface is off it by what its deformation is drawn too large. */
  patches(wheelset, wheel, k) {
    const found = [], side = this.side(wheel), frame = this.frame(wheelset, k), rail = this.railOf(side), [dy, dz, turn] = this.railUnder(wheel, k, this.view.rails);
    for (let p = 0; p < PATCHES; p++) {
      const rows = this.get("patch", `${wheel}/${p}`);
      if (!rows || !(rows.at(2, k) > 0)) continue;
      const [x, y, normal, slope, pressure, length, width, across] = Array.from({ length: 8 }, (_, r) => rows.at(r, k));
      const same = found.find((one) => Math.abs(one.across - across) < ONE_PLACE);
      if (same) { same.normal += normal; continue; }
      const on_wheel = this.onWheel(wheel, x, y), ahead = Matrix.at(frame, on_wheel)[0], height = heightAt(this.railProfile(side, this.get("place")[k] + frame[12]), across);
      const place = [ahead, side * (rail.y + across) + dy - turn * height, height + dz + turn * side * across];
      found.push({ place, across, on_wheel, normal, slope: side * slope + turn, pressure, length, width });
    }
    return found;
  }
  /* Strips of the contact law of a patch at a sample, where the page has them: over the middle of the patch, [m] ahead
     and to the field side, each { s, width, half, ahead, cells } with cells [[from, to] ahead, pressure [Pa]]. */
  strips(wheel, across, k) {
    for (let n = 0; ; n++) {
      const all = this.get(`strips/${wheel}/${k}`, n);
      if (!all) return null;
      if (Math.abs(all[1] - across) > STRIPS_AT) continue;
      const count = all[0], cells = (all.length - 3 - 4 * count) / (count + 1), length = all.subarray(3, 3 + cells);
      return Array.from({ length: count }, (_, i) => {
        const [s, width, half, at, ...pressure] = all.subarray(3 + cells + i * (4 + cells), 3 + cells + (i + 1) * (4 + cells)), ahead = at - all[2];
        let from = ahead + half;
        return { s, width, half, ahead, cells: pressure.map((p, c) => { const to = from - half * length[c], cell = [from, to, p]; from = to; return cell; }) };
      });
    }
  }
  /* Point of an undeformed wheel, wheelset's axes: x ahead of its lowest point, y to the field side of its datum. */
  onWheel(wheel, x, y) {
    const r = this.wheelRadius(y, wheel);
    return [x, this.side(wheel) * (this.parts.wheel.y + y), -Math.sqrt(Math.max(r * r - x * x, 0))];
  }

  /* Largest pressure of a wheel's patches at a sample [Pa]; a sliver does not count: the edge of a flange that bears some N
     may have more than the steel would. */
  wheelPressure(wheel, k) {
    const rows = ((this.patch_rows ??= {})[`${this.track}/${wheel}`] ??= Array.from({ length: PATCHES }, (_, p) => this.get("patch", `${wheel}/${p}`)).filter((r) => r)), loads = rows.map((r) => r.at(2, k) || 0), load = loads.reduce((sum, v) => sum + v, 0);
    return rows.reduce((top, r, n) => (loads[n] > this.run.sliver * load ? Math.max(top, r.at(4, k)) : top), 0);
  }
  /* That over the samples of the track and all wheels, from which colours of patches go down to 0. */
  topPressure() {
    const largest = (wheel) => { let top = 0; for (let k = 0; k < this.samples; k++) top = Math.max(top, this.wheelPressure(wheel, k) || 0); return top; };
    this.tops ??= {};
    return (this.tops[this.track] ??= Math.max(0, ...this.run.wheels.map(largest)));
  }

  /* Where a wheel's force is drawn: the middle of its patches by normal force, or its lowest point. */
  wheelPoint(wheel, k) {
    const wheelset = wheel.slice(0, wheel.lastIndexOf(" ")), patches = this.patches(wheelset, wheel, k), total = patches.reduce((sum, p) => sum + p.normal, 0);
    if (!total) return Matrix.at(this.frame(wheelset, k), [0, this.side(wheel) * this.parts.wheel.y, -this.parts.wheel.radius]);
    return [0, 1, 2].map((c) => patches.reduce((sum, p) => sum + (p.place[c] * p.normal) / total, 0));
  }

  /* That of `rail` as the run has it under a wheel, which is how a patch ahead of the wheel's lowest point has it too:
     ahead of it the roughness is other, and the line drawn has it every millisecond. */
  railUnder(wheel, k, factor) {
    const [moved, turn, rough] = ["rail_displacement", "rail_roll", "irregularity"].map((what) => this.get(what, wheel));
    return [0, 1].map((c) => (rough ? rough.at(c, k) : 0) + (moved ? factor * moved.at(c + 1, k) : 0)).concat(turn ? factor * turn.at(0, k) : 0);
  }

  /* Lateral and vertical place of the left or right rail against its nominal one, and its turn about the running
     direction, at x ahead of the leading wheelset. */
  rail(side, x, k, factor) {
    const ending = side > 0 ? " left" : " right", out = [0, 0, 0];
    const last = this.wheelsets[this.wheelsets.length - 1], s = this.get("place")[k] + x, place = this.get("place", undefined, 0), start = this.get("body", last, 0).at(0, 0);
    const [own, behind] = s < place[0] ? [last, start] : [this.lead, 0], rough = this.get("irregularity", own + ending, 0);
    if (rough) {
      let low = 0, high = place.length - 1;
      while (high - low > 1) { const m = (low + high) >> 1; if (place[m] + behind <= s) low = m; else high = m; }
      const part = Math.min(1, Math.max(0, (s - behind - place[low]) / (place[high] - place[low] || 1)));
      for (const c of [0, 1]) out[c] += rough.at(c, low) * (1 - part) + rough.at(c, high) * part;
    }
    for (const { at, by } of this.sags(ending, k)) {
      const part = factor * sagShape(x - at);
      for (let c = 0; c < 3; c++) out[c] += by[c] * part;
    }
    return out;
  }
  /* What each wheelset adds to the line of a rail, so that under every wheel it has the deflection of the run. */
  sags(ending, k) {
    const kept = (this.kept_sags ??= {}), key = `${this.track}/${k}`;
    if (kept[ending]?.key === key) return kept[ending].all;
    const under = this.wheelsets.filter((w) => this.get("rail_displacement", w + ending)), at = under.map((w) => this.get("body", w).at(0, k));
    const rows = under.map((w, n) => {
      const moved = this.get("rail_displacement", w + ending), turn = this.get("rail_roll", w + ending);
      return [...at.map((x) => sagShape(at[n] - x)), moved.at(1, k), moved.at(2, k), turn ? turn.at(0, k) : 0];
    });
    for (const [n, row] of rows.entries()) for (const other of rows) {
      const factor = other === row ? 0 : other[n] / row[n];
      if (factor !== 0) for (let c = n; c < row.length; c++) other[c] -= factor * row[c];
    }
    const all = rows.map((row, n) => ({ at: at[n], by: row.slice(-3).map((v) => v / row[n]) }));
    kept[ending] = { key, all };
    return all;
  }

  /* Displacement of a flexible wheelset as drawn at a place of its surface, wheelset's axes: of the nearest nodes. */
  drawnAt(wheelset, place) {
    const f = this.flexible[wheelset], total = [0, 0, 0];
    if (!f) return total;
    const spin = f.spinning ? this.body(wheelset, f.row).spin : 0, here = turned(place, -spin), start = f.surface.position, near = [];
    for (let n = 0; n < f.surface.nodes; n++) {
      const at = turned(start.subarray(3 * n, 3 * n + 3), f.angle), away = Math.hypot(...minus(at, here));
      if (away < 0.04) near.push([away, minus(f.place.subarray(3 * n, 3 * n + 3), at)]);
    }
    near.sort((a, b) => a[0] - b[0]);
    let sum = 0;
    for (const [away, d] of near.slice(0, 8)) { const w = 1 / (away + 1e-4) ** 2; sum += w; for (let c = 0; c < 3; c++) total[c] += w * d[c]; }
    return turned(total.map((v) => v / (sum || 1)), spin);
  }

  /* [[across, height]] of a rail at s: between two sections of one that changes along the track, heights are linear. */
  railProfile(side, s) {
    const { profile, sections } = this.railOf(side);
    if (!sections) return profile;
    const at = sections.s, next = at.findIndex((v) => v > s), high = next < 0 ? at.length - 1 : next, low = next < 0 ? high : Math.max(0, next - 1);
    const part = low === high ? 0 : (s - at[low]) / (at[high] - at[low]);
    return sections.across.map((y, n) => [y, sections.height[low][n] * (1 - part) + sections.height[high][n] * part]);
  }

  /* A rigid wheelset: both wheels and the axle by revolution, coloured in plain. */
  wheelMesh(wheelset) {
    const shapes = [], { radius, y, axle } = this.parts.wheel, n = 36;
    const outline = [[0.09, -axle - 0.1], [0.09, axle + 0.1]].map(([r, at]) => [at, r]);
    const turn = (points) => {
      for (let p = 1; p < points.length; p++) for (let k = 0; k < n; k++) {
        const at = ([across, r], m) => { const a = (2 * Math.PI * m) / n; return [r * Math.sin(a), across, -r * Math.cos(a)]; };
        shapes.push([k, at(points[p - 1], k), at(points[p], k), at(points[p], k + 1), at(points[p - 1], k + 1)]);
      }
    };
    turn(outline);
    for (const side of [1, -1]) {
      const points = thinned(this.profileOf(`${wheelset} ${side > 0 ? "left" : "right"}`), 40).map(([across, height]) => [side * (y + across), radius + height]);
      turn([[points[0][0], 0.1], ...points, [points[points.length - 1][0], 0.1]]);
    }
    return shapes;
  }

  drawRigid(shapes, name, k) {
    const b = this.body(name, k), m = Matrix.pose(b.place, b.yaw, b.roll, b.spin);
    for (const [part, ...corners] of (this.rigid[name] ??= this.wheelMesh(name))) {
      const shade = part % 9 === 0 ? 0.42 : 0.58;
      shapes.quad([shade, shade, shade + 0.04, 1], ...corners.map((p) => Matrix.at(m, p)));
    }
  }
}
