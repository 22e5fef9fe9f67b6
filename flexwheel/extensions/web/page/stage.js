"use strict";
/* The camera and what a frame draws: scenes beside each other under one camera, labels above them. */

const VIEW_ANGLE = 0.6; // [rad] from top to bottom
const COARSE = 0.5; // share of the pixels along each side while a slow computer plays
const NO_SIZE = 0.02; // [m] of the mark of a patch whose size the results do not hold
const WIDE = 10; // [m] distance from which bodies have faces
const MISSED = 0.1; // by which the pressure over a patch may miss its normal force where it is drawn: of two zones that merge each reading bears a share
const RINGS = 8; // of a patch's pressure
const NARROW = 600; // [CSS px] of a scene below which words are short
const NEAR = 14; // [m] within which a wheel has words
const PRESSURES = mapBytes("viridis"), mapAt = (part) => [0, 1, 2].map((c) => PRESSURES[4 * Math.round(255 * Math.min(1, Math.max(0, part))) + c] / 255);
const BODY = [0.35, 0.55, 0.75], RIGID = [0.58, 0.58, 0.62];
const CLEAR = 0.3; // of a body's mesh that is seen through
const MARKED_ERROR = 0.05; // of stress at a control node, by the mesh, from which it is marked
const CHECK = [0.42, 0.45, 0.52, 1], CHECK_WIDTH = 0.03, CHECK_DEPTH = 0.12; // [m] of a check rail, which no file states
const MARK = [0.85, 0.1, 0.6, 1];

class Stage {
  constructor(canvas, labels, scenes, drawing, view) {
    Object.assign(this, { canvas, labels, scenes, drawing, view, yaw: 0.9, pitch: 0.25, distance: 4.2, shift: [0, 0, 0] });
    this.changed = () => {};
    let held = null;
    canvas.addEventListener("pointerdown", (e) => { held = [e.clientX, e.clientY, 0]; canvas.setPointerCapture(e.pointerId); });
    canvas.addEventListener("pointermove", (e) => {
      if (!held) return;
      const [dx, dy] = [e.clientX - held[0], e.clientY - held[1]];
      held = [e.clientX, e.clientY, held[2] + Math.abs(dx) + Math.abs(dy)];
      if (e.shiftKey || e.buttons === 2) this.move(-dx, dy); else this.turn(-0.008 * dx, 0.008 * dy);
    });
    canvas.addEventListener("pointerup", (e) => {
      if (held && held[2] < 4) this.picked?.(pickAt(this, e.offsetX, e.offsetY));
      held = null;
    });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
    canvas.addEventListener("wheel", (e) => { e.preventDefault(); this.approach(Math.exp(0.001 * e.deltaY)); }, { passive: false });
    canvas.addEventListener("keydown", (e) => {
      const turns = { ArrowLeft: [-0.08, 0], ArrowRight: [0.08, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] };
      if (turns[e.key]) { if (e.shiftKey) this.move(40 * Math.sign(turns[e.key][0]), 40 * Math.sign(turns[e.key][1])); else this.turn(...turns[e.key]); }
      else if (e.key === "+" || e.key === "=") this.approach(0.9);
      else if (e.key === "-") this.approach(1.1);
      else return;
      e.preventDefault();
    });
  }

  turn(yaw, pitch) { this.yaw += yaw; this.pitch = Math.min(1.5, Math.max(-0.6, this.pitch + pitch)); this.changed(); }
  approach(factor) { this.distance = Math.min(Math.max(60, 3 * this.length(this.scenes[0])), Math.max(0.3, this.distance * factor)); this.changed(); }
  move(dx, dy) {
    const unitLength = this.distance / this.canvas.clientHeight, right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    this.shift = this.shift.map((v, k) => v + unitLength * (dx * right[k] + (k === 2 ? dy : 0)));
    this.changed();
  }

  /* Length of a vehicle between its outer bodies, with room for its ends [m]. */
  length(scene) {
    this.lengths ??= new Map();
    if (!this.lengths.has(scene)) {
      const places = scene.run.bodies.map((b) => scene.get("body", b).at(0, 0));
      this.lengths.set(scene, Math.max(...places) - Math.min(...places) + 6);
    }
    return this.lengths.get(scene);
  }
  /* What is followed, in a scene: of another vehicle the wheelset of the same number. */
  followed(scene) {
    const { follow } = this.view, number = this.scenes[0].wheelsets.indexOf(follow);
    return number < 0 || scene.wheelsets.includes(follow) ? follow : scene.wheelsets[Math.min(number, scene.wheelsets.length - 1)] ?? "vehicle";
  }
  target(scene, k) {
    const follow = this.followed(scene);
    let place;
    if (scene.wheelsets.includes(follow)) place = [scene.body(follow, k).place[0], 0, 0.35];
    else if (follow === "free") place = [this.stand - scene.get("place")[k], 0, 0.35];
    else if (scene.run.bodies.includes(follow)) place = scene.body(follow, k).place.map((v, n) => (n === 2 ? v + 1.5 : v));
    else {
      const places = scene.run.bodies.map((b) => scene.body(b, k).place), middle = (n) => (Math.max(...places.map((p) => p[n])) + Math.min(...places.map((p) => p[n]))) / 2;
      place = scene.run.found ? [0, 0, 0] : [middle(0), scene.line ? middle(1) : 0, scene.line ? middle(2) + 1.2 : 1.2];
    }
    return place.map((v, n) => v + this.shift[n]);
  }

  cameraOf(scene, k, aspect) {
    let target = this.target(scene, k), eye;
    if (this.view.follow === "train") {
      const lead = scene.body(scene.lead, k).place;
      eye = [lead[0] + 3.5, lead[1], 2.4];
      target = [eye[0] + Math.cos(this.yaw - 0.9) * 10, eye[1] + Math.sin(this.yaw - 0.9) * 10, eye[2] - 1.5 - 10 * Math.sin(this.pitch - 0.25)];
    } else {
      const distance = this.distance * Math.max(1, 1.35 / aspect), flat = Math.cos(this.pitch) * distance;
      eye = [target[0] + flat * Math.cos(this.yaw), target[1] + flat * Math.sin(this.yaw), target[2] + distance * Math.sin(this.pitch)];
    }
    const far = Math.hypot(...minus(eye, target)), camera = Matrix.product(Matrix.perspective(VIEW_ANGLE, aspect, Math.max(0.05, far / 400), Math.max(200, 4 * far)), Matrix.look(eye, target, [0, 0, 1]));
    return { camera, eye, target, aspect };
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    for (const [canvas, share] of [[this.canvas, this.coarse ? COARSE : 1], [this.labels, 1]]) {
      const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight].map((v) => Math.max(1, Math.round(v * ratio * share)));
      if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    }
    this.ratio = ratio;
  }

  draw(rows) {
    Object.assign(this, { rows, arrows: [] });
    this.resize();
    const { canvas, drawing, view } = this, c = (this.pen = this.labels.getContext("2d", { willReadFrequently: true })), n = this.scenes.length;
    c.clearRect(0, 0, this.labels.width, this.labels.height);
    const style = getComputedStyle(document.documentElement), hex = style.getPropertyValue("--back").trim();
    const back = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
    this.text = style.getPropertyValue("--text");
    this.paper = hex;
    this.scenes.forEach((scene, index) => {
      const width = Math.floor(this.labels.width / n), x = index * width, k = rows[index], own = Math.floor(canvas.width / n);
      const seen = this.cameraOf(scene, k, width / this.labels.height);
      this.port = { x, width, height: this.labels.height, ...seen };
      scene.port = { ...this.port };
      c.save();
      c.beginPath();
      c.rect(x, 0, width, this.labels.height); // words stay on their side
      c.clip();
      drawing.begin(index * own, 0, index < n - 1 ? own : canvas.width - index * own, canvas.height, back, seen.camera, seen.eye);
      this.drawScene(scene, k);
      if (n > 1) this.say(`${scene.run.name || scene.run.key}${this.apart(scene, k)}`, [x + 0.5 * width, 20 * this.ratio], "center");
      c.restore();
    });
  }

  /* What a run beside the first shows instead of the first one's time, which it does not have, or has beyond its end. */
  apart(scene, k) {
    const [first] = this.scenes, time = first.time(this.rows[0]), own = scene.time(k), end = (s) => s.time(s.samples - 1), step = (end(scene) - scene.time(0)) / (scene.samples - 1);
    if (Math.abs(own - time) > step) return `: at t = ${own.toFixed(4)} s, the ${own < time ? "last" : "first"} sample here`;
    return end(scene) > end(first) + step ? `: has more, to t = ${end(scene).toFixed(4)} s` : "";
  }

  drawScene(scene, k) {
    const { drawing, view } = this, wide = this.distance > WIDE && view.follow !== "train", solid = new Shapes(), lines = new Shapes(), above = new Shapes(), fields = new Shapes(), glass = new Shapes();
    if (scene.line) this.line(scene, k, solid, lines); else if (scene.parts.rail) this.track(scene, k, solid, lines);
    for (const name of scene.wheelsets) {
      const f = scene.flexible[name];
      if (!f) { if (!scene.meshes[name]) scene.drawRigid(solid, name, k); continue; }
      if (f.stale !== view.stamp || f.row !== k) { scene.update(name, k, view); f.stale = view.stamp; }
      const b = scene.body(name, k), model = Matrix.pose(b.place, b.yaw, b.roll, f.spinning ? b.spin : 0);
      f.model = model;
      const found = f.found && view.mode === null;
      drawing.surface(found ? f.found : f.mesh, model, found ? null : view.range, view.edges);
      if (found) this.found(scene, model, lines); else this.marks(scene, f, model, lines);
    }
    if (view.vehicle) this.vehicle(scene, k, lines, wide ? glass : null, solid);
    drawing.plain(solid, false);
    drawing.plain(lines, true);
    drawing.plain(glass, false);
    this.meshes(scene, k);
    this.taken = []; // [x, y, width] of words beside places
    if (view.mode === null) this.contacts(scene, k, above, fields);
    drawing.plain(fields, false, true, false);
    drawing.plain(above, true, true);
    this.words(scene, k);
  }

  track(scene, k, solid, lines) {
    const { view } = this, bodies = scene.run.bodies.map((b) => scene.get("body", b).at(0, k));
    const [from, to] = [Math.min(...bodies) - 6, Math.max(...bodies) + (view.follow === "train" ? 40 : 8)], s0 = scene.get("place")[k], bay = scene.parts.bay, at = Object.values(scene.parts.rails ?? {}).flatMap((r) => r.sections?.s ?? []).map((s) => s - s0).filter((x) => x > from && x < to);
    const grid = Array.from({ length: Math.floor((to - from) / 0.4) + 1 }, (_, n) => from + 0.4 * n), under = scene.wheelsets.map((w) => scene.get("body", w).at(0, k));
    const stations = [...grid, ...under, ...at].sort((a, b) => a - b); // the line of the rail meets the wheels
    const steel = [0.5, 0.48, 0.46, 1], foot = [[0.009, -0.05], [0.009, -0.15], [0.075, -0.172], [-0.075, -0.172], [-0.009, -0.15], [-0.009, -0.05]];
    for (const side of [1, -1]) {
      const rail = scene.railOf(side), same = rail.sections ? null : thinned(rail.profile, 14);
      let before = null;
      for (const x of stations) {
        const [y, z, turn] = scene.rail(side, x, k, view.rails), head = same ?? thinned(scene.railProfile(side, s0 + x), 100), outline = [...head, ...foot, head[0]];
        const ring = outline.map((p) => [x, side * (rail.y + p[0]) + y - turn * p[1], p[1] + z + turn * side * p[0]]);
        if (before) for (let p = 1; p < ring.length; p++) solid.quad(steel, before[p - 1], before[p], ring[p], ring[p - 1]);
        before = ring;
      }
    }
    for (const { side, stations, top } of scene.parts.check_rails ?? []) for (const [[a, face], [b, next]] of stations.slice(1).map((q, n) => [stations[n], q])) {
      const ends = [[a, face], [b, next]].map(([s, y]) => { const x = Math.min(to, Math.max(from, s - s0)), part = (x + s0 - a) / (b - a || 1); return [x, face + part * (next - face)]; });
      if (ends[0][0] === ends[1][0]) continue;
      const [low, high] = ends.map(([x, y]) => [[y, top], [y - CHECK_WIDTH, top], [y - CHECK_WIDTH, top - CHECK_DEPTH], [y, top - CHECK_DEPTH]].map(([u, z]) => [x, side * u, z]));
      for (let p = 0; p < 4; p++) solid.quad(CHECK, low[p], low[(p + 1) % 4], high[(p + 1) % 4], high[p]);
      for (const end of [low, high]) solid.quad(CHECK, ...end);
    }
    for (let s = Math.ceil((s0 + from) / bay) * bay; s < s0 + to; s += bay) {
      const x = s - s0;
      solid.box([0.62, 0.58, 0.5, 1], [x - 0.12, -1.25, -0.36], [x + 0.12, 1.25, -0.18]);
    }
  }

  /* Track that is not drawn straight: its bed and two lines. */
  line(scene, k, solid, lines) {
    const length = this.length(scene), ahead = this.view.follow === "train" ? 400 : 0.25 * length, step = Math.max(2, length / 250);
    let before = null;
    for (let x = -1.15 * length; x <= ahead; x += step) {
      const { place, yaw } = scene.along(x, k), u = this.view.cross, at = (y, z) => [place[0] - u * y * Math.sin(yaw), place[1] + u * y * Math.cos(yaw), place[2] + u * z];
      const here = [at(-1.5, -0.2), at(1.5, -0.2), at(-scene.parts.rail.y, 0), at(scene.parts.rail.y, 0)];
      if (before) {
        solid.quad([0.62, 0.58, 0.5, 1], before[0], before[1], here[1], here[0]);
        for (const n of [2, 3]) lines.add([0.35, 0.34, 0.33, 1], before[n], here[n]);
      }
      before = here;
    }
  }

  /* Marks on the material, and the marker of the largest value. */
  marks(scene, f, model, lines) {
    const s = f.surface, at = (k) => Matrix.at(model, f.place.subarray(3 * k, 3 * k + 3));
    if (s.harmonic) {
      const section = (((this.view.turning ? f.shift : Math.round(scene.get("spin", this.nameOf(scene, f))[f.row] / s.step)) % s.sections) + s.sections) % s.sections;
      for (let ring = 0; ring < s.rings; ring++) {
        const p = at(ring * s.sections + section), q = at(ring * s.sections + ((section + 1) % s.sections));
        lines.add(MARK, p, q);
      }
    }
  }
  /* What a mesh was taken for: lines, and crosses at points. */
  found(scene, model, lines) {
    const size = 0.004 * scene.flexible[scene.lead].surface.width;
    for (const mark of scene.run.found.marks) {
      const colour = [...rgbOf(mark.colour), 1], at = (n) => mark.points.slice(3 * n, 3 * n + 3), count = mark.points.length / 3;
      if (mark.line) for (let n = 1; n < count; n++) lines.add(colour, Matrix.at(model, at(n - 1)), Matrix.at(model, at(n)));
      else for (let n = 0; n < count; n++) for (let c = 0; c < 3; c++) lines.add(colour, ...[-size, size].map((d) => Matrix.at(model, at(n).map((v, k) => v + (k === c ? d : 0)))));
    }
  }
  /* Their names, below each other where they would meet; the marks nearest to the eye first. */
  foundWords(scene) {
    const [f] = Object.values(scene.flexible), c = this.pen, r = this.ratio;
    const seen = scene.run.found.marks.filter((m) => m.label).map((m) => [m, this.project(Matrix.at(f.model, m.points.slice(0, 3)))]).filter(([, at]) => at).sort((a, b) => a[1][2] - b[1][2]);
    for (const [mark, at] of seen) {
      c.strokeStyle = c.fillStyle = mark.colour;
      c.lineWidth = 1.5 * r;
      c.beginPath(); c.arc(at[0], at[1], 4 * r, 0, 7); c.fill();
      this.beside(at, mark.label, true);
    }
  }
  /* Words beside a place, on its left near the right edge, lower where they would meet others; with a line to them where asked or they are away from it. */
  beside(at, text, line = false) {
    const c = this.pen, r = this.ratio;
    c.font = `${13 * r}px system-ui, sans-serif`;
    const wide = c.measureText(text).width, left = at[0] + wide + 14 * r > this.port.x + this.port.width, key = byId("legend"), covered = r * (key.offsetLeft + key.offsetWidth + 8);
    let [x, y] = [at[0] + (left ? -10 * r - wide : 10 * r), at[1] - 6 * r];
    if (!key.hidden && key.offsetTop < this.canvas.clientHeight && x < covered && y < r * (key.offsetTop + key.offsetHeight + 8)) x = covered;
    while (this.taken.some((t) => x < t[0] + t[2] + 6 * r && t[0] < x + wide + 6 * r && Math.abs(t[1] - y) < 15 * r)) y += 3 * r;
    this.taken.push([x, y, wide]);
    if (!line) Object.assign(c, { strokeStyle: this.text, lineWidth: r });
    if (line || left || y - at[1] > 12 * r) { c.beginPath(); c.moveTo(at[0], at[1]); c.lineTo(left ? x + wide : x, y - 4 * r); c.stroke(); }
    this.say(text, [x, y]);
  }
  nameOf(scene, f) { return Object.keys(scene.flexible).find((name) => scene.flexible[name] === f); }

  /* Colour of a value in the range shown, as the surface has it. */
  colourOf(value) {
    const { map, range } = this.view;
    if (this.mapName !== map) [this.mapName, this.mapColours] = [map, mapBytes(map)];
    const at = 4 * Math.round(255 * Math.min(1, Math.max(0, (value - range[0]) / Math.max(range[1] - range[0], 1e-30))));
    return [0, 1, 2].map((c) => this.mapColours[at + c] / 255);
  }

  vehicle(scene, k, lines, glass, solid) {
    const { view } = this;
    const pose = (name) => {
      if (name === "" || !scene.parts.poses[name]) return null;
      const [body, place] = scene.parts.poses[name], frame = scene.frame(body, k);
      return (p) => Matrix.at(frame, p.map((v, n) => v + place[n]));
    };
    for (const [name, [length, width, low, high]] of Object.entries(scene.parts.boxes)) {
      if (!scene.run.bodies.includes(name)) continue;
      const frame = scene.frame(name, k), map = (p) => Matrix.at(frame, p), u = scene.line ? view.cross : 1, ends = [[-length, -u * width, u * low], [length, u * width, u * high]];
      const chosen = this.view.node?.scene === scene && this.view.node.body === name;
      if (scene.meshes[name]) { if (chosen) lines.frame(MARK, ...ends, map); continue; }
      if (scene.run.colours.length) solid.box([...this.colourOf(scene.bodyValue(this.view.quantity, name, k)), 1], ...ends, map);
      else glass?.box([...BODY, 0.13], ...ends, map);
      lines.frame(chosen ? MARK : scene.run.colours.length ? [0.2, 0.2, 0.22, 1] : [...BODY, 1], ...ends, map);
    }
    for (const e of scene.parts.elements) {
      const a = pose(e.a), b = pose(e.b);
      if (!a || !b) continue;
      const [p, q] = [a(e.point_a), b(e.point_b)];
      const spring = e.kind.includes("spring") && Math.hypot(...minus(q, p)) > 0.05;
      if (spring) this.coil(lines, p, q); else lines.add([0.85, 0.45, 0.1, 1], p, q);
    }
  }

  /* Bodies that a mesh of the user draws. */
  meshes(scene, k) {
    for (const [name, mesh] of Object.entries(scene.meshes)) {
      const rolling = scene.wheelsets.includes(name), b = scene.body(name, k), u = scene.line ? this.view.cross : 1;
      if (!rolling && !this.view.vehicle) continue;
      const model = Matrix.product(Matrix.pose(b.place, b.yaw, b.roll, b.spin), Float32Array.of(1, 0, 0, 0, 0, u, 0, 0, 0, 0, u, 0, 0, 0, 0, 1));
      const base = scene.run.colours.length ? this.colourOf(scene.bodyValue(this.view.quantity, name, k)) : rolling ? RIGID : BODY;
      this.drawing.body(mesh, model, [...base, this.view.clear ? CLEAR : 1]);
    }
  }

  coil(lines, p, q) {
    const way = minus(q, p), across = unit(cross(way, [1, 0, 0.1])), other = unit(cross(way, across)), n = 60;
    let before = p;
    for (let k = 1; k <= n; k++) {
      const a = (2 * Math.PI * 6 * k) / n, r = k === n ? 0 : 0.06;
      const here = p.map((v, c) => v + (way[c] * k) / n + r * (Math.cos(a) * across[c] + Math.sin(a) * other[c]));
      lines.add([0.1, 0.55, 0.35, 1], before, here);
      before = here;
    }
  }

  contacts(scene, k, above, fields) {
    this.fields = { scene, top: Math.max(...this.scenes.map((s) => s.topPressure())), drawn: [] };
    for (const wheelset of scene.wheelsets) for (const side of [1, -1]) {
      const wheel = `${wheelset} ${side > 0 ? "left" : "right"}`, force = scene.get("wheel_force", wheel), patches = scene.patches(wheelset, wheel, k), load = patches.reduce((sum, p) => sum + p.normal, 0);
      for (const p of patches) {
        const half = [p.length, p.width].map((v) => (Number.isNaN(v) ? NO_SIZE : PATCH_FACTOR * v));
        const tilt = [0, Math.cos(p.slope), Math.sin(p.slope)], place = (u, v) => p.place.map((c, n) => c + (n === 0 ? u : 0) + v * tilt[n]);
        const ring = (m) => { const a = (2 * Math.PI * m) / 24; return place(half[0] * Math.cos(a), half[1] * Math.sin(a)); }, strips = scene.strips(wheel, p.across, k), wide = (u, v) => place(PATCH_FACTOR * u, side * PATCH_FACTOR * v);
        if (strips) this.outline(above, strips, wide);
        else for (let m = 0; m < 24; m++) above.add(MARK, ring(m), ring(m + 1));
        if (this.view.pressure && p.pressure > 0 && p.length > 0) this.pressure(fields, { ...p, strips }, ring, wheel, load, wide);
      }
      if (!force || !this.view.forces) continue;
      const on = [-force.at(0, k), -side * force.at(1, k), force.at(2, k)];
      const tip = scene.wheelPoint(wheel, k), tail = tip.map((v, c) => v - this.view.arrow * on[c]), way = unit(on), flat = unit(cross(way, [1, 0, 0]));
      this.arrows.push({ scene, wheel, tail, tip });
      if (Math.hypot(...on) > 1) {
        above.add(MARK, tail, tip);
        for (const [u, v] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) above.add(MARK, tip, tip.map((x, c) => x - 0.06 * way[c] + 0.025 * (u * flat[c] + v * (c === 0 ? 1 : 0))));
      }
      this.label(tail, [`Q ${(force.at(2, k) / 1e3).toFixed(1)} kN`, `Y ${(force.at(1, k) / 1e3).toFixed(1)} kN`]);
    }
  }

  /* The edge of a patch of strips. */
  outline(lines, strips, at) {
    const edge = (sign) => strips.flatMap((o) => [-0.5, 0.5].map((part) => at(o.ahead + sign * o.half, o.s + part * o.width)));
    const round = [...edge(1), ...edge(-1).reverse()];
    round.forEach((p, n) => lines.add(MARK, p, round[(n + 1) % round.length]));
  }
  /* A patch filled by its pressure: of its strips; without, half an ellipsoid over the half axes stored, largest in the
     middle. place: of a point ahead and to the field side of the patch's middle. */
  pressure(fields, p, ring, wheel, load, place) {
    const { drawn, top } = this.fields, shade = (value) => [...mapAt(top > 0 ? value / top : 0), 1];
    const whole = p.strips ? p.strips.reduce((sum, o) => sum + o.width * o.cells.reduce((own, [from, to, value]) => own + (from - to) * value, 0), 0) : (2 / 3) * Math.PI * p.pressure * p.length * p.width;
    const bears = Math.abs(whole / p.normal - 1) < MISSED, filled = Boolean(p.strips) || bears;
    drawn.push({ ...p, wheel, wheel_load: load, filled, bears: whole, words: bears ? "" : p.strips ? ", zones merge, with the load of both" : ", not an ellipse" });
    if (!filled) return;
    if (p.strips) {
      for (const o of p.strips) for (const [from, to, value] of o.cells) fields.quad(shade(value), ...[[from, -0.5], [from, 0.5], [to, 0.5], [to, -0.5]].map(([u, part]) => place(u, o.s + part * o.width)));
      return;
    }
    const rim = Array.from({ length: 25 }, (_, m) => ring(m)), level = (u) => shade(p.pressure * Math.sqrt(Math.max(0, 1 - u * u)));
    const at = (u, m) => p.place.map((c, n) => c + u * (rim[m][n] - c));
    for (let r = 0; r < RINGS; r++) for (let m = 0; m < 24; m++) {
      const [u, v] = [r / RINGS, (r + 1) / RINGS], colour = level((r + 0.5) / RINGS);
      fields.quad(colour, at(u, m), at(v, m), at(v, m + 1), at(u, m + 1));
    }
  }
  /* Pressure and size of the patches drawn, and the scale of their colours. */
  pressureWords(scene) {
    const { drawn, top } = this.fields, c = this.pen, r = this.ratio, { x, width, height } = this.port;
    if (!drawn.length) return;
    for (const p of drawn) {
      const at = this.project(p.place);
      if (at && at[2] < NEAR && p.normal > scene.run.sliver * p.wheel_load) this.beside(at, `${(p.pressure / 1e6).toFixed(0)} MPa${width < NARROW * r ? "" : `, ${(2e3 * p.length).toFixed(1)} x ${(2e3 * p.width).toFixed(1)} mm${p.words}`}`);
    }
    const [left, low, long] = [x + 12 * r, height - 26 * r, 160 * r];
    for (let n = 0; n < 80; n++) { c.fillStyle = `rgb(${mapAt(n / 79).map((v) => Math.round(255 * v)).join()})`; c.fillRect(left + (n / 80) * long, low, long / 80 + 1, 10 * r); }
    const own = drawn.filter((p) => p.strips).length, kind = own === drawn.length ? ", strips" : own ? ", strips or half ellipsoid" : ", half ellipsoid";
    this.say(`contact pressure${width < NARROW * r ? "" : kind}, 0 to ${(top / 1e6).toFixed(0)} MPa; patches x ${PATCH_FACTOR}`, [left, low - 6 * r]);
  }

  project(p) {
    const m = this.port.camera, w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
    if (w <= 0.05) return null;
    const [x, y] = [0, 1].map((r) => (m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]) / w);
    return Math.abs(x) > 1 || Math.abs(y) > 1 ? null : [this.port.x + (0.5 + 0.5 * x) * this.port.width, (0.5 - 0.5 * y) * this.port.height, w];
  }

  say(text, at, align = "left") {
    const c = this.pen;
    c.font = `${13 * this.ratio}px system-ui, sans-serif`;
    c.textAlign = align;
    c.lineJoin = "round";
    c.lineWidth = 4 * this.ratio;
    c.strokeStyle = this.paper;
    c.fillStyle = this.text;
    const half = align === "center" ? 0.5 * c.measureText(text).width + 4 * this.ratio : 0, { x: from, width } = this.port;
    const x = half ? Math.min(from + width - half, Math.max(from + half, at[0])) : at[0]; // words in the middle of something stay in the picture
    c.strokeText(text, x, at[1]);
    c.fillText(text, x, at[1]);
  }
  label(p, lines) {
    const at = this.project(p);
    if (!at || at[2] > NEAR) return;
    for (const [n, text] of lines.entries()) {
      const place = [at[0] + 6 * this.ratio, at[1] + (14 * n + 12) * this.ratio];
      this.say(text, place);
      this.taken.push([...place, this.pen.measureText(text).width]);
    }
  }

  words(scene, k) {
    const lead = scene.body(this.followed(scene) in scene.flexible ? this.followed(scene) : scene.lead, k).place, y = scene.parts.wheel?.y ?? (scene.run.found ? 0.5 * scene.flexible[scene.lead].surface.width : 0);
    const start = scene.line ? 0.02 * this.distance + 10 : 1.0, ahead = [start, start + (scene.line ? 0.05 * this.distance : 0.6)].map((x) => this.project([lead[0] + x, 0, 0.02]));
    if (y) {
      for (const side of [1, -1]) { const at = this.project([lead[0], side * (y + 0.25), scene.run.found ? 0 : 1.05]); if (at) this.sideWord(side, at); }
    }
    this.bodyMarks(scene, k);
    if (this.view.mode === null && !scene.run.rest) this.pressureWords(scene);
    if (scene.run.found && this.view.mode === null) this.foundWords(scene);
    if (ahead[0] && ahead[1]) {
      const c = this.pen, [a, b] = ahead, angle = Math.atan2(b[1] - a[1], b[0] - a[0]), size = 10 * this.ratio;
      c.strokeStyle = this.text;
      c.lineWidth = 2 * this.ratio;
      c.beginPath();
      c.moveTo(a[0], a[1]); c.lineTo(b[0], b[1]);
      for (const turn of [2.6, -2.6]) { c.moveTo(b[0], b[1]); c.lineTo(b[0] + size * Math.cos(angle + turn), b[1] + size * Math.sin(angle + turn)); }
      c.stroke();
      this.say("running direction", [0.5 * (a[0] + b[0]), Math.max(a[1], b[1]) + 18 * this.ratio], "center");
    }
    for (const f of Object.values(scene.flexible)) {
      const dots = [[f.where, this.view.mode !== null || f.found ? "" : this.view.quantity === "compression" ? "smallest" : "largest"]];
      for (const one of scene.run.control) if (this.view.mode === null && scene.flexible[one.wheelset] === f && one.node !== this.view.node?.id && (one.error > MARKED_ERROR || one.corner > 0)) dots.push([this.drawnOf(scene, f, one.node), this.port.width < NARROW * this.ratio ? "!" : `! ${one.name.split(" ").pop()}`]);
      const chosen = this.view.node && this.view.node.scene === scene && scene.flexible[this.view.node.wheelset] === f ? this.drawnIndex(scene, f) : -1;
      if (chosen >= 0) dots.push([chosen, `node ${this.view.node.id}`]);
      for (const [index, text] of dots) {
        const at = text && index !== undefined && this.project(Matrix.at(f.model, f.place.subarray(3 * index, 3 * index + 3)));
        if (at && (at[2] < NEAR || index === chosen)) this.dot(at, text);
      }
    }
  }
  sideWord(side, at) {
    const text = side > 0 ? "left" : "right";
    this.say(text, at, text);
    const wide = this.pen.measureText(text).width;
    this.taken.push([side > 0 ? at[0] : at[0] - wide, at[1], wide]);
  }
  /* Marks of the body or wheel that is chosen, and of the largest value of bodies. */
  bodyMarks(scene, k) {
    const { node, quantity } = this.view, dots = [], above = (name) => { const p = scene.body(name, k).place; return [p[0], p[1], p[2] + (scene.line ? this.view.cross : 1) * scene.parts.boxes[name][3]]; };
    if (scene.run.colours.length) {
      const values = scene.run.bodies.map((b) => scene.bodyValue(quantity, b, k)), most = values.reduce((a, v, n) => (Math.abs(v) > Math.abs(values[a]) ? n : a), 0), q = QUANTITIES[quantity];
      dots.push([above(scene.run.bodies[most]), `largest ${shown(values[most] * q.factor)} ${q.unit === "-" ? "" : q.unit}, vehicle ${scene.run.bodies[most]}`]);
    }
    if (node?.scene === scene && node.body && scene.parts.boxes[node.body]) dots.push([above(node.body), node.body]);
    if (node?.scene === scene && node.wheel) dots.push([scene.wheelPoint(node.wheel, k), node.wheel]);
    for (const [place, text] of dots) this.dot(this.project(place), text, scene.line ? 14 * this.ratio : 0); // not over the train behind
  }
  dot(at, text, above = 0) {
    if (!at) return;
    const c = this.pen;
    c.lineWidth = 2 * this.ratio;
    c.strokeStyle = this.text;
    c.beginPath(); c.arc(at[0], at[1], 6 * this.ratio, 0, 7); c.stroke();
    this.beside([at[0], at[1] - above], text);
  }
  drawnIndex(scene, f) { return this.drawnOf(scene, f, this.view.node.id); }
  drawnOf(scene, f, node) {
    const index = f.surface.index.get(node);
    return this.view.turning ? scene.material(f, index, 1) : index;
  }
}
