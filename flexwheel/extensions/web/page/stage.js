"use strict";
/* The camera and what a frame draws: scenes beside each other under one camera, labels above them. */

const COARSE = 0.5; // share of the pixels along each side while a slow computer plays
const WIDE = 10; // [m] distance from which bodies have faces
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
      if (held && held[2] < 4) this.picked?.(this.pick(e.offsetX, e.offsetY));
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
  approach(factor) { this.distance = Math.min(60, Math.max(0.3, this.distance * factor)); this.changed(); }
  move(dx, dy) {
    const unitLength = this.distance / this.canvas.clientHeight, right = [-Math.sin(this.yaw), Math.cos(this.yaw), 0];
    this.shift = this.shift.map((v, k) => v + unitLength * (dx * right[k] + (k === 2 ? dy : 0)));
    this.changed();
  }

  /* Length of a vehicle between its outer bodies, with room for its ends [m]. */
  length(scene) {
    const places = scene.run.bodies.map((b) => scene.body(b, 0).place[0]);
    return Math.max(...places) - Math.min(...places) + 6;
  }
  target(scene, k) {
    const follow = this.view.follow, middle = scene.run.bodies.map((b) => scene.body(b, k).place[0]);
    let place;
    if (scene.wheelsets.includes(follow)) place = [scene.body(follow, k).place[0], 0, 0.35];
    else if (follow === "free") place = [this.stand - scene.get("place")[k], 0, 0.35];
    else place = [(Math.max(...middle) + Math.min(...middle)) / 2, 0, 1.2];
    return place.map((v, n) => v + this.shift[n]);
  }

  cameraOf(scene, k, aspect) {
    let target = this.target(scene, k), eye;
    if (this.view.follow === "train") {
      const lead = scene.body(scene.wheelsets[0], k).place;
      eye = [lead[0] + 3.5, lead[1], 2.4];
      target = [eye[0] + Math.cos(this.yaw - 0.9) * 10, eye[1] + Math.sin(this.yaw - 0.9) * 10, eye[2] - 1.5 - 10 * Math.sin(this.pitch - 0.25)];
    } else {
      const distance = this.distance * Math.max(1, 1.15 / aspect), flat = Math.cos(this.pitch) * distance;
      eye = [target[0] + flat * Math.cos(this.yaw), target[1] + flat * Math.sin(this.yaw), target[2] + distance * Math.sin(this.pitch)];
    }
    const camera = Matrix.product(Matrix.perspective(0.6, aspect, 0.05, 200), Matrix.look(eye, target, [0, 0, 1]));
    return { camera, eye, target };
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
      this.port = { x, width, height: this.labels.height, camera: seen.camera };
      scene.port = { ...this.port };
      drawing.begin(index * own, 0, own, canvas.height, back, seen.camera, seen.eye);
      this.drawScene(scene, k);
      if (n > 1) this.say(scene.run.name || scene.run.key, [x + 0.6 * width, 20 * this.ratio], "center");
    });
  }

  drawScene(scene, k) {
    const { drawing, view } = this, wide = this.distance > WIDE && view.follow !== "train", solid = new Shapes(), lines = new Shapes(), above = new Shapes(), glass = new Shapes();
    this.track(scene, k, solid, lines);
    for (const name of scene.wheelsets) {
      const f = scene.flexible[name];
      if (!f) { scene.drawRigid(solid, name, k); continue; }
      if (f.stale !== view.stamp || f.row !== k) { scene.update(name, k, view); f.stale = view.stamp; }
      const b = scene.body(name, k), model = Matrix.pose(b.place, b.yaw, b.roll, f.spinning ? b.spin : 0);
      f.model = model;
      drawing.surface(f.mesh, model, view.range, view.edges);
      this.marks(scene, f, model, lines);
    }
    if (view.vehicle) this.vehicle(scene, k, lines, wide ? glass : null);
    drawing.plain(solid, false);
    drawing.plain(lines, true);
    drawing.plain(glass, false);
    if (view.mode === null) this.contacts(scene, k, above);
    drawing.plain(above, true, true);
    this.words(scene, k);
  }

  track(scene, k, solid, lines) {
    const { view } = this, bodies = scene.run.bodies.map((b) => scene.get("body", b).at(0, k)), { rail } = scene.parts;
    const [from, to] = [Math.min(...bodies) - 6, Math.max(...bodies) + (view.follow === "train" ? 40 : 8)], s0 = scene.get("place")[k], bay = scene.parts.bay;
    const steel = [0.5, 0.48, 0.46, 1], outline = [...rail.profile.filter((_, n) => n % 3 === 0), [0.009, -0.05], [0.009, -0.15], [0.075, -0.172], [-0.075, -0.172], [-0.009, -0.15], [-0.009, -0.05], rail.profile[0]];
    for (const side of [1, -1]) {
      let before = null;
      for (let x = from; x <= to; x += 0.4) {
        const [y, z] = scene.rail(side, x, k, view.rails);
        const ring = outline.map((p) => [x, side * (rail.y + p[0]) + y, p[1] + z]);
        if (before) for (let p = 1; p < ring.length; p++) solid.quad(steel, before[p - 1], before[p], ring[p], ring[p - 1]);
        before = ring;
      }
    }
    for (let s = Math.ceil((s0 + from) / bay) * bay; s < s0 + to; s += bay) {
      const x = s - s0;
      solid.box([0.62, 0.58, 0.5, 1], [x - 0.12, -1.25, -0.36], [x + 0.12, 1.25, -0.18]);
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
  nameOf(scene, f) { return Object.keys(scene.flexible).find((name) => scene.flexible[name] === f); }

  vehicle(scene, k, lines, glass) {
    const pose = (name) => {
      if (name === "" || !scene.parts.poses[name]) return null;
      const [body, place] = scene.parts.poses[name], frame = scene.frame(body, k);
      return (p) => Matrix.at(frame, p.map((v, n) => v + place[n]));
    };
    for (const [name, [length, width, low, high]] of Object.entries(scene.parts.boxes)) {
      if (!scene.run.bodies.includes(name)) continue;
      const frame = scene.frame(name, k), map = (p) => Matrix.at(frame, p);
      glass?.box([0.35, 0.55, 0.75, 0.13], [-length, -width, low], [length, width, high], map);
      lines.frame([0.35, 0.55, 0.75, 1], [-length, -width, low], [length, width, high], map);
    }
    for (const e of scene.parts.elements) {
      const a = pose(e.a), b = pose(e.b);
      if (!a || !b) continue;
      const [p, q] = [a(e.point_a), b(e.point_b)];
      const spring = e.kind.includes("spring") && Math.hypot(...minus(q, p)) > 0.05;
      if (spring) this.coil(lines, p, q); else lines.add([0.85, 0.45, 0.1, 1], p, q);
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

  contacts(scene, k, above) {
    for (const wheelset of scene.wheelsets) for (const side of [1, -1]) {
      const wheel = `${wheelset} ${side > 0 ? "left" : "right"}`, force = scene.get("wheel_force", wheel), patches = scene.patches(wheelset, wheel, k);
      for (const p of patches) {
        const tilt = [0, Math.cos(p.slope), Math.sin(p.slope)], ring = (m) => { const a = (2 * Math.PI * m) / 24, u = PATCH_FACTOR * p.length * Math.cos(a), v = PATCH_FACTOR * p.width * Math.sin(a); return p.place.map((c, n) => c + (n === 0 ? u : 0) + v * tilt[n]); };
        for (let m = 0; m < 24; m++) above.add(MARK, ring(m), ring(m + 1));
      }
      if (!force || !this.view.forces) continue;
      const on = [-force.at(0, k), -side * force.at(1, k), force.at(2, k)];
      const total = patches.reduce((sum, p) => sum + p.normal, 0);
      const tip = total ? [0, 1, 2].map((c) => patches.reduce((sum, p) => sum + (p.place[c] * p.normal) / total, 0)) : Matrix.at(scene.frame(wheelset, k), [0, side * scene.parts.wheel.y, -scene.parts.wheel.radius]);
      const tail = tip.map((v, c) => v - ARROW * on[c]), way = unit(on), flat = unit(cross(way, [1, 0, 0]));
      if (Math.hypot(...on) > 1) {
        above.add(MARK, tail, tip);
        for (const [u, v] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) above.add(MARK, tip, tip.map((x, c) => x - 0.06 * way[c] + 0.025 * (u * flat[c] + v * (c === 0 ? 1 : 0))));
      }
      this.label(tail, [`Q ${(force.at(2, k) / 1e3).toFixed(1)} kN`, `Y ${(force.at(1, k) / 1e3).toFixed(1)} kN`]);
    }
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
    c.lineWidth = 4 * this.ratio;
    c.strokeStyle = this.paper;
    c.fillStyle = this.text;
    c.strokeText(text, at[0], at[1]);
    c.fillText(text, at[0], at[1]);
  }
  label(p, lines) {
    const at = this.project(p);
    if (at && at[2] < 14) lines.forEach((text, n) => this.say(text, [at[0] + 6 * this.ratio, at[1] + (14 * n + 12) * this.ratio]));
  }

  words(scene, k) {
    const lead = scene.body(this.view.follow in scene.flexible ? this.view.follow : scene.wheelsets[0], k).place, y = scene.parts.wheel.y;
    const ahead = [this.project([lead[0] + 1.0, 0, 0.02]), this.project([lead[0] + 1.6, 0, 0.02])];
    this.label([lead[0], y + 0.25, 1.05], ["left"]);
    this.label([lead[0], -y - 0.25, 1.05], ["right"]);
    if (ahead[0] && ahead[1]) {
      const c = this.pen, [a, b] = ahead, angle = Math.atan2(b[1] - a[1], b[0] - a[0]), size = 10 * this.ratio;
      c.strokeStyle = this.text;
      c.lineWidth = 2 * this.ratio;
      c.beginPath();
      c.moveTo(a[0], a[1]); c.lineTo(b[0], b[1]);
      for (const turn of [2.6, -2.6]) { c.moveTo(b[0], b[1]); c.lineTo(b[0] + size * Math.cos(angle + turn), b[1] + size * Math.sin(angle + turn)); }
      c.stroke();
      this.say("running direction", [b[0] + 8 * this.ratio, b[1]]);
    }
    for (const f of Object.values(scene.flexible)) {
      const dots = [[f.where, this.view.mode !== null ? "" : this.view.quantity === "compression" ? "smallest" : "largest"]];
      const chosen = this.view.node && this.view.node.scene === scene && scene.flexible[this.view.node.wheelset] === f ? this.drawnIndex(scene, f) : -1;
      if (chosen >= 0) dots.push([chosen, `node ${this.view.node.id}`]);
      for (const [index, text] of dots) {
        const at = this.project(Matrix.at(f.model, f.place.subarray(3 * index, 3 * index + 3)));
        if (!at || !text) continue;
        const c = this.pen;
        c.lineWidth = 2 * this.ratio;
        c.strokeStyle = this.text;
        c.beginPath(); c.arc(at[0], at[1], 6 * this.ratio, 0, 7); c.stroke();
        this.say(text, [at[0] + 9 * this.ratio, at[1] - 6 * this.ratio]);
      }
    }
  }
  drawnIndex(scene, f) {
    const index = f.surface.index.get(this.view.node.id);
    return this.view.turning ? scene.material(f, index, 1) : index;
  }

  /* Nearest surface node under a place of the canvas [CSS pixels]: { scene, wheelset, id } or null. */
  pick(x, y) {
    x *= this.ratio;
    y *= this.ratio;
    let best = null, found = [];
    for (const scene of this.scenes) for (const [name, f] of Object.entries(scene.flexible)) {
      if (!f.model) continue;
      this.port = scene.port;
      for (let k = 0; k < f.surface.nodes; k++) {
        const at = this.project(Matrix.at(f.model, f.place.subarray(3 * k, 3 * k + 3)));
        if (at && Math.hypot(at[0] - x, at[1] - y) < 9 * this.ratio) found.push({ depth: at[2] + 0.002 * Math.hypot(at[0] - x, at[1] - y), scene, name, k });
      }
    }
    for (const one of found) if (!best || one.depth < best.depth) best = one;
    if (!best) return null;
    const f = best.scene.flexible[best.name], index = this.view.turning ? best.scene.material(f, best.k) : best.k;
    return { scene: best.scene, wheelset: best.name, id: f.surface.node_id[index] };
  }
}
