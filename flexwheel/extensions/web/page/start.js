"use strict";
/* Start, time, and window.flexwheel: what a script may ask of the page. */

const SPEEDS = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 10, 100];
const CROSS = 80; // a train so many metres long is drawn as wide and high as it is
const LONG = 300; // [s] from which a run is played ten times as fast as it was, a short one 20 times as slow
const RANGE_INSTANTS = 24;
const TOP_ERROR = 0.5; // of stress by the mesh, at the top of the colours at first: corners have far more
const byId = (id) => document.getElementById(id);

class App {
  constructor(head, arrays) {
    this.drawing = new Drawing(byId("scene"));
    const surfaces = Object.fromEntries(Object.entries(head.surfaces).map(([key, known]) => [key, new Surface(known, key, arrays)]));
    for (const [name, known] of Object.entries(head.bodies)) known.mesh = this.drawing.solid(...["position", "faces"].map((part) => arrays[`body/${name}/${part}`]));
    this.meshes = Object.values(head.bodies).map((b) => b.words);
    this.scenes = head.runs.map((run) => new RunScene(run, surfaces, arrays, this.drawing, head.bodies));
    const [scene] = this.scenes;
    document.querySelector("main").classList.toggle("beside", this.scenes.length > 1);
    this.flexible = this.scenes.flatMap((s) => Object.values(s.flexible));
    this.hasStress = this.flexible.some((f) => f.surface.stress);
    this.hasError = this.flexible.some((f) => f.surface.error);
    this.hot = scene.run.hot;
    this.colours = scene.run.colours;
    for (const colour of this.colours) QUANTITIES[colour.name] = colour;
    this.view = {
      follow: Object.keys(scene.flexible)[0] || "vehicle", vehicle: true, pressure: true, clear: this.flexible.length > 0, forces: true, edges: false, quantity: this.colours.length ? this.colours[0].name : this.hasStress ? "von_mises" : "displacement",
      wheel_quantity: "Q", body_quantity: "lateral", cross: 1, map: this.colours.length ? "blue to red" : "viridis", scale: "run", range: [0, 1], spread: false, turning: false, static: 1, dynamic: 1, rails: 1, mode: null, swing: SWING, phase: 0, node: null, stamp: 0,
    };
    this.rest = scene.run.rest;
    if (this.rest) Object.assign(this.view, { follow: "vehicle", forces: false, quantity: "displacement" });
    for (const s of this.scenes) s.view = this.view;
    const forces = this.scenes.flatMap((s) => s.run.wheels.flatMap((w) => { const r = s.get("wheel_force", w); return r ? [1, 2].flatMap((n) => [0, 65534].map((v) => Math.abs(r.middle[n] + (v - 32767) * r.scale[n]))) : []; }));
    this.view.arrow = ARROW / Math.max(1, ...forces); // [m/N]
    this.stage = new Stage(byId("scene"), byId("labels"), this.scenes, this.drawing, this.view);
    this.stage.changed = () => this.draw();
    this.stage.picked = (item) => item && !this.rest && this.choose(item);
    this.drawing.colours(this.view.map);
    this.k = 0;
    this.frames = 0;
    this.ranges = {};
    byId("title").textContent = head.title;
    const notes = this.scenes.flatMap((s) => [...(s.run.complete ? [] : [`incomplete run: ${s.run.status}`]), ...s.run.notes]);
    byId("told").textContent = [head.source, ...(scene.run.speed === null || this.rest ? [] : [`${scene.run.speed} km/h`]), ...new Set(notes)].join("; ");
    byId("track").append(...scene.run.tracks.map((t, k) => element("option", { value: k }, t.label)));
    byId("speed").append(...SPEEDS.map((v) => element("option", { value: v, selected: v === (scene.time(scene.samples - 1) - scene.time(0) > LONG ? 10 : scene.wheelsets.length && !this.flexible.length ? 1 : 0.05) }, `x ${v}`)));
    this.panel = new Panel(byId("panel"), this);
    this.charts = this.rest ? [] : ["history", "spectrum"].map((id, n) => new Chart(byId(id), n ? null : (t) => this.at(t)));
    this.wire();
    document.documentElement.classList.toggle("dark", window.matchMedia("(prefers-color-scheme: dark)").matches);
    this.placed();
    this.sized();
    this.fit();
    this.at(this.hot.length ? this.hot[0].time : scene.time(scene.samples >> 1));
    this.ranged();
    if (!this.rest) return;
    for (const id of ["back", "forth", "speed", "slider", "track"]) (byId(id).closest("label") ?? byId(id)).hidden = true;
    if (scene.run.motions.length) this.mode(-1); else byId("play").hidden = true;
    const { found } = scene.run, asked = found?.mode && [...document.querySelectorAll("#panel .list button")].find((b) => b.textContent.startsWith(`mode ${found.mode}:`));
    if (asked) asked.click();
  }

  wire() {
    byId("slider").oninput = (e) => this.to(+e.target.value);
    byId("play").onclick = () => this.play(!this.playing);
    byId("back").onclick = () => this.to(this.k - 1);
    byId("forth").onclick = () => this.to(this.k + 1);
    byId("track").onchange = (e) => this.onTrack(+e.target.value);
    this.film = new Film(this);
    byId("picture").onclick = () => this.film.picture();
    byId("film_kind").append(...filmsHere().map((name) => element("option", { value: name }, name === "gif" ? "GIF" : name === "webm" ? "WebM" : "MP4")));
    byId("film").onclick = async () => {
      const { film } = this, button = byId("film"), on = !film.running;
      try { if (on) film.start(byId("film_kind").value); else await film.stop(); } catch (error) { byId("told").textContent = error.message; return; }
      button.textContent = on ? "Stop film" : "Film";
      button.setAttribute("aria-pressed", String(on));
      byId("film_kind").disabled = on;
    };
    byId("theme").onclick = () => this.theme(!document.documentElement.classList.contains("dark"));
    window.addEventListener("resize", () => { this.draw(); this.charts.forEach((c) => c.draw()); });
    document.addEventListener("keydown", (e) => {
      if (/INPUT|SELECT|BUTTON|SUMMARY|CANVAS/.test(e.target.tagName) && e.key !== ",") if (e.target.id !== "scene" || e.key !== " ") return;
      if (e.key === " ") { e.preventDefault(); this.play(!this.playing); } else if (e.key === ",") this.to(this.k - 1); else if (e.key === ".") this.to(this.k + 1);
    });
  }

  theme(dark) {
    document.documentElement.classList.toggle("dark", dark);
    this.draw();
    this.charts.forEach((c) => c.draw());
  }
  sized() { Object.assign(byId("slider"), { max: this.scenes[0].samples - 1 }); }

  /* The first exaggeration: the largest displacement is 4 % of the wheelset's width, as 1, 2 or 5 times a power of ten. */
  fit() {
    const [scene] = this.scenes, [name] = Object.keys(scene.flexible);
    if (!name || this.rest) return;
    this.k = scene.row(this.hot.length ? this.hot[0].time : scene.time(scene.samples >> 1));
    const f = scene.flexible[name];
    scene.update(name, this.k, { ...this.view, quantity: "displacement" });
    const raw = (0.04 * f.surface.width) / Math.max(f.values.reduce((a, b) => Math.max(a, b), 0), 1e-12), power = 10 ** Math.floor(Math.log10(raw));
    this.view.static = this.view.dynamic = Math.min(2000, power * [5, 2, 1].find((x) => x * power <= raw));
    for (const id of ["static", "dynamic"]) byId(id).show();
  }

  get time() { return this.scenes[0].time(this.k); }
  at(time) { this.to(this.scenes[0].row(time)); }
  to(k) {
    this.k = Math.min(this.scenes[0].samples - 1, Math.max(0, k));
    if (this.view.scale === "now") this.ranged(); else this.draw();
  }
  /* A slow computer plays with fewer pixels; where nothing moves, or a film is made, all are drawn. */
  paced() {
    if (this.film.running) { this.stage.coarse = false; return; }
    const now = performance.now(), passed = now - (this.drawn || 0);
    this.drawn = now;
    clearTimeout(this.calm);
    if (this.stage.coarse || (passed > 70 && passed < 400)) {
      this.stage.coarse = true;
      this.calm = setTimeout(() => { this.stage.coarse = false; this.drawn = 0; this.draw(); this.drawn = 0; }, 500);
    }
  }
  touch() { this.view.stamp++; this.draw(); }
  rows() { const time = this.scenes[0].time(this.k); return this.scenes.map((s, n) => (n ? s.row(time) : this.k)); }

  draw() {
    this.paced();
    const rows = this.rows(), [scene] = this.scenes, time = scene.time(this.k);
    this.stage.draw(rows);
    this.frames++;
    byId("slider").value = this.k;
    byId("slider").setAttribute("aria-valuetext", `${time.toFixed(4)} s`);
    byId("now").textContent = this.view.mode !== null ? this.modeName() : this.scenes[0].run.found ? "mesh as it was read" : this.rest ? "at rest" : `t = ${time.toFixed(4)} s, at s = ${scene.get("place")[this.k].toFixed(2)} m`;
    clearTimeout(this.later);
    const tell = () => {
      this.toldAt = performance.now();
      this.panel.tell(scene, this.k);
      this.legend();
      this.charts[0]?.draw(scene.time(this.k));
    };
    if (performance.now() - (this.toldAt || 0) > 250) tell(); else this.later = setTimeout(tell, 100);
  }

  ranged() {
    const { view } = this, key = `${view.quantity}/${view.spread}`;
    view.stamp++;
    if ((this.flexible.length || this.colours.length) && view.scale !== "hand") {
      if (view.scale === "now") view.range = this.found(this.rows().map((k) => [k]));
      else {
        const hottest = this.scenes.filter((s) => Object.keys(s.flexible).length).map((s) => s.run.hot[0]?.von_mises), known = view.quantity === "von_mises" && !view.spread && hottest.every((v) => v > 0);
        const every = this.colours.length ? (s) => s.samples : () => RANGE_INSTANTS, over = (s) => Array.from({ length: every(s) }, (_, n) => Math.floor(((n + 0.5) * s.samples) / every(s)));
        if (!this.ranges[key]) this.ranges[key] = known && hottest.length ? [0, Math.max(...hottest)] : this.found(this.scenes.map(over));
        view.range = this.ranges[key];
      }
    }
    const factor = QUANTITIES[view.quantity].factor;
    for (const [id, n] of [["low", 0], ["high", 1]]) if (byId(id)) byId(id).value = +(view.range[n] * factor).toPrecision(4);
    for (const unit of document.querySelectorAll(".unit")) unit.textContent = QUANTITIES[view.quantity].unit;
    this.touch();
  }
  /* Range of the quantity over rows of each scene. */
  found(rows) {
    let [low, high] = [Infinity, -Infinity];
    if (this.colours.length) {
      this.scenes.forEach((scene, n) => rows[n].forEach((k) => scene.run.bodies.forEach((body) => {
        const v = scene.bodyValue(this.view.quantity, body, k);
        [low, high] = [Math.min(low, v), Math.max(high, v)];
      })));
      if (low < 0) [low, high] = [Math.min(low, -high), Math.max(high, -low)];
      return [Math.min(low, 0), Math.max(high, low + 1e-12)];
    }
    this.scenes.forEach((scene, n) => rows[n].forEach((k) => Object.entries(scene.flexible).forEach(([name, f]) => {
      scene.update(name, k, this.view);
      [low, high] = [Math.min(low, f.least), Math.max(high, f.largest)];
      if (this.view.quantity === "compression") high = Math.max(high, f.values.reduce((a, b, n) => (f.extra[2 * n + 1] ? a : Math.max(a, b)), -Infinity));
    })));
    if (this.view.quantity === "stress_error") high = Math.min(high, TOP_ERROR);
    if (["von_mises", "displacement", "stress_error"].includes(this.view.quantity)) low = 0;
    return [Math.min(low, high - 1e-12), high];
  }
  byHand(key, value) {
    const { view } = this, range = [...view.range];
    range[key === "low" ? 0 : 1] = value / QUANTITIES[view.quantity].factor;
    Object.assign(view, { range, scale: "hand" });
    byId("scale").value = "hand";
    this.touch();
  }

  legend() {
    const { view } = this, q = QUANTITIES[view.mode !== null ? "displacement" : view.quantity];
    byId("legend").hidden = !this.flexible.length && !this.colours.length;
    if (byId("legend").hidden) return;
    const state = [view.mode, view.quantity, view.map, ...view.range].join();
    if (state !== this.legendState) { this.legendState = state; this.legendBar(q); }
    const { found } = this.scenes[0].run;
    for (const id of ["legend_bar", "legend_ticks"]) byId(id).hidden = found && view.mode === null;
    const each = this.scenes.flatMap((s) => Object.entries(s.flexible).map(([name, f]) => [`${this.scenes.length > 1 ? `${s.run.name}, ` : ""}${name.replaceAll("_", " ")}`, f])), told = each.map(([name, f]) => `${each.length > 1 ? `${name} ` : ""}${shown(f.largest * q.factor)}`).join(", ");
    if (this.colours.length) byId("legend_note").textContent = `${q.label}; width and height of vehicles x ${view.cross}`;
    else if (found && view.mode === null) byId("legend_note").replaceChildren(...[...found.classes, ...found.marks.filter((m) => m.name)].map((c) => element("div", { className: "class" }, element("span", { className: "swatch", style: `background:${c.colour}` }), c.name)));
    else byId("legend_note").textContent = view.mode !== null ? "" : `${view.quantity === "compression" ? "smallest" : "largest"} now ${told} ${q.unit}; displacement drawn x ${view.static} (mean), x ${view.dynamic} (its change); rails x ${view.rails}${view.spread || !STRESS.has(view.quantity) ? "" : "; grey and paler: does not hold near a patch"}${view.quantity === "stress_error" ? "; estimated; grey: no estimate; values above have the highest colour, such as corners without a radius" : ""}`;
  }
  legendBar(q) {
    const { view } = this;
    byId("legend_title").textContent = view.mode !== null ? `${this.modeName()}, flexible displacement` : this.colours.length ? `${view.quantity.replaceAll("_", " ")} [${q.unit}]` : `${q.label} [${q.unit}]`;
    if (this.scenes[0].run.found && view.mode === null) byId("legend_title").textContent = "What the mesh was taken for";
    const bar = byId("legend_bar"), c = bar.getContext("2d", { willReadFrequently: true }), bytes = mapBytes(view.map), [low, high] = view.range.map((v) => v * q.factor);
    for (let k = 0; k < 160; k++) { const at = 4 * Math.round((1 - k / 159) * 255); c.fillStyle = `rgb(${bytes[at]},${bytes[at + 1]},${bytes[at + 2]})`; c.fillRect(0, k, 16, 1); }
    const marks = view.mode !== null ? [[0, "0"], [1, "largest"]] : [[0, shown(low)], ...ticks(low, high, 5).filter((v) => Math.min(v - low, high - v) > 0.13 * (high - low)).map((v) => [(v - low) / (high - low), shown(v)]), [1, shown(high)]];
    byId("legend_ticks").replaceChildren(...marks.map(([part, text]) => element("span", { style: `top:${(1 - part) * 100}%` }, text)));
  }

  play(on) {
    this.playing = on;
    byId("play").textContent = on ? "Pause" : "Play";
    byId("play").setAttribute("aria-pressed", String(on));
    if (!on) return;
    let last = performance.now(), time = this.scenes[0].time(this.k), set = this.k;
    const step = (now) => {
      if (!this.playing) return;
      const [scene] = this.scenes, passed = Math.min(0.2, (now - last) / 1000);
      last = now;
      if (this.view.mode !== null) {
        this.view.phase += 2 * Math.PI * 0.7 * passed;
        this.touch();
      } else {
        if (this.k !== set) time = scene.time(this.k); // somebody moved the slider
        time += passed * +byId("speed").value;
        if (time > scene.time(scene.samples - 1)) time = scene.time(0);
        set = scene.row(time);
        if (set !== this.k) this.to(set);
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  onTrack(number) {
    const time = this.scenes[0].time(this.k);
    for (const scene of this.scenes) scene.track = Math.min(number, scene.run.tracks.length - 1);
    byId("track").value = number;
    this.sized();
    this.at(time);
    this.touch();
    this.again();
  }
  followed() {
    const [scene] = this.scenes;
    this.stage.stand = scene.get("place")[this.k] - 2;
    this.placed();
    this.draw();
  }
  /* A motion of the vehicle is seen whole where a wheelset was followed, which is followed again after it. */
  seen(motion) {
    const { view } = this, away = motion && this.scenes[0].wheelsets.includes(view.follow), back = !motion && this.left && view.follow === "vehicle";
    if (!motion && !back) this.left = null;
    if (!away && !back) return;
    [view.follow, this.left] = away ? ["vehicle", view.follow] : [this.left, null];
    byId("follow").value = view.follow;
    this.followed();
  }
  /* The camera as it first follows what is chosen. */
  placed() {
    const [scene] = this.scenes, { follow } = this.view, body = scene.run.bodies.includes(follow), long = scene.line && follow === "vehicle";
    Object.assign(this.stage, { shift: [0, 0, 0], distance: scene.run.found ? 2.2 * scene.extent : !body ? 1.6 * this.stage.length(scene) : scene.wheelsets.includes(follow) ? 4.2 : 30, yaw: long ? 1.2 : 0.9, pitch: 0.25 });
    if (scene.line) {
      this.view.cross = long ? Math.max(1, Math.round(this.stage.length(scene) / CROSS)) : 1;
      byId("cross").show();
    }
  }
  mode(k) {
    if (this.scenes[0].run.found) byId("play").hidden = k === null;
    if (k !== null && this.view.mode === null) this.before = this.view.range;
    this.seen(k !== null && k < 0);
    this.view.mode = k;
    this.view.phase = k < 0 ? 0 : Math.PI / 2;
    this.panel.tellMotion(this.scenes[0], k === null ? -1 : -1 - k);
    if (k === null) this.ranged();
    else {
      this.view.range = [0, k < 0 ? this.swingTop(-1 - k) : 0.06 * this.flexible[0].surface.width];
      this.touch();
      if (!this.playing) this.play(true);
    }
  }
  /* Largest flexible displacement of motion m as drawn, no phase left out [m]. */
  swingTop(m) {
    let top = 0;
    for (const scene of this.scenes) for (const [name, { surface: s }] of Object.entries(scene.flexible)) {
      const parts = [0, Math.PI / 2].map((phase) => {
        const d = [0, 1, 2].map(() => new Float32Array(s.nodes));
        s.displacement(d, scene.motionAlone(s, { ...this.view, mode: -1 - m, phase }, name), null, 0);
        return d;
      }).flat();
      for (let n = 0; n < s.nodes; n++) top = Math.max(top, Math.hypot(...parts.map((d) => d[n])));
    }
    return top > 1e-6 * this.view.swing ? top : this.view.swing;
  }
  modeName() {
    const { mode } = this.view;
    return mode < 0 ? motionWords(this.scenes[0].run.motions[-1 - mode]) : `mode ${mode + 1}`;
  }
  /* To a hot spot, which is one of the non-turning mesh. */
  jump(spot) {
    this.mode(null);
    this.view.turning = false;
    if (byId("turning")) byId("turning").value = "";
    this.at(spot.time);
    this.choose({ scene: this.scenes[0], wheelset: spot.wheelset, id: spot.node });
  }

  /* item: a node, a wheel or a body, as pickAt gives it. */
  choose(item) {
    const { scene } = item, { view } = this, told = byId("node_told"), f = item.wheelset && scene.flexible[item.wheelset];
    if (f && !f.surface.index.has(item.id)) { told.textContent = `No node ${item.id} on the surface of wheelset ${item.wheelset}.`; return; }
    view.node = item;
    for (const [id, value] of [["wheel_chosen", item.wheel], ["body_chosen", item.body], ["node_wheelset", item.wheelset], ["node_id", item.id]]) if (value !== undefined && byId(id)) byId(id).value = value;
    const rows = Array.from({ length: scene.samples }, (_, k) => k), x = rows.map((k) => scene.time(k)), { title, q, values: y } = historyOf(item, view, rows);
    let [low, high] = [0, 0];
    y.forEach((v, k) => { if (v < y[low]) low = k; if (v > y[high]) high = k; });
    told.textContent = `${this.scenes.length > 1 ? `${scene.run.name}: ` : ""}${title}: ${q.label} from ${shown(y[low])} ${q.unit} (t = ${x[low].toFixed(4)} s) to ${shown(y[high])} ${q.unit} (t = ${x[high].toFixed(4)} s). Click the curve to go there.`;
    const recovered = f && scene.recovered(item.wheelset, item.id, view.quantity);
    if (recovered) told.textContent += " As the run recovered it, with the field of the contact patches; the colours of the scene are without it.";
    else if (f && f.surface.spread[f.surface.index.get(item.id)] > 1) told.textContent += " On or near the running surface: without the field of the contact patches, which flexwheel stress adds.";
    if (f && f.standing && !recovered && (low === 0 || high === 0)) told.textContent += " That of the first sample is without the terms that go with derivatives of the loads, which jump there.";
    const band = bandOf(item, view, (x[x.length - 1] - x[0]) / (x.length - 1));
    told.textContent += marksOf(item) + (band ? ` The spectrum holds to ${shown(band[0])} Hz: ${band[1]}.` : "");
    this.charts[0].set(x, y, "time [s]", `${q.label} [${q.unit}]`);
    const step = (x[x.length - 1] - x[0]) / (x.length - 1), found = spectrum(y.map((v) => (Number.isNaN(v) ? 0 : v)), step);
    this.charts[1].set(found.frequency, found.amplitude, "frequency [Hz]", `amplitude (Hann) [${q.unit}]`, true, band ? band[0] : Infinity);
    this.draw();
  }
  again() { if (this.view.node && !this.rest) this.choose(this.view.node); }
}

/* For scripts; node: number in the mesh file, time [s], quantity: see QUANTITIES, point: fixed or rotating; SI units. */
function scriptInterface(app) {
  const scene = (run) => app.scenes[run];
  const onTrack = (s, track, act) => { const kept = s.track; s.track = track; try { return act(); } finally { s.track = kept; } };
  return {
    app, renderer: app.drawing.renderer,
    nodes: (wheelset, run = 0) => Array.from(scene(run).flexible[wheelset].surface.node_id),
    times: (track = 0, run = 0) => onTrack(scene(run), track, () => Array.from({ length: scene(run).samples }, (_, k) => scene(run).time(k))),
    value: (node, time, quantity = "von_mises", { wheelset = Object.keys(scene(0).flexible)[0], point = "fixed", track = 0, run = 0 } = {}) =>
      onTrack(scene(run), track, () => scene(run).values(wheelset, node, quantity, point, [scene(run).row(time)])[0]),
    force: (wheel, time, track = 0, run = 0) => onTrack(scene(run), track, () => [0, 1, 2].map((r) => scene(run).get("wheel_force", wheel).at(r, scene(run).row(time)))),
    /* [{ wheel, force }] of the arrows as drawn, from their ends: [N] along the rail, Y, Q on the rail. */
    arrows: (run = 0) => app.stage.arrows.filter((a) => a.scene === scene(run)).map(({ scene: s, wheel, tail, tip }) => {
      const [x, y, z] = minus(tip, tail).map((v) => v / app.view.arrow);
      return { wheel, force: [-x, -s.side(wheel) * y, z] };
    }),
    /* [{ wheel, place, pressure, length, width, normal, filled, bears, strips }] of the patches drawn: [m], largest [Pa], half axes [m], [N],
       filled: whether by its pressure, which bears so many N; strips where the page has those of this instant: RunScene.strips. */
    patches: () => app.stage.fields.drawn.map(({ wheel, place, pressure, length, width, normal, filled, bears, strips }) => ({ wheel, place, pressure, length, width, normal, filled, bears, strips })),
    /* [{ wheel, normal, gap, across }] of the patches drawn: [N], and the wheel's point there as drawn less the patch's
       place on the rail: along the normal, away from the rail, and across it [m]. */
    gaps: (run = 0) => gapsOf(scene(run), scene(run).row(app.time)),
    drawn: (node, wheelset = Object.keys(scene(0).flexible)[0]) => { const f = scene(0).flexible[wheelset], k = f.surface.index.get(node); return f.values[app.view.turning ? scene(0).material(f, k, 1) : k]; },
    frames: async (count) => {
      const start = performance.now();
      for (let n = 0; n < count; n++) { app.to((app.k + 1) % app.scenes[0].samples); await new Promise(requestAnimationFrame); app.drawing.gl.finish(); }
      return (1000 * count) / (performance.now() - start);
    },
  };
}

(async () => {
  try {
    const head = JSON.parse(byId("head").textContent), holder = byId("data"), arrays = await unpackedArrays(head.arrays, holder.textContent);
    holder.textContent = "";
    window.flexwheel = scriptInterface(new App(head, arrays));
    window.flexwheel.first = performance.now();
  } catch (error) {
    byId("told").textContent = `This page cannot be shown: ${error.message}`;
    throw error;
  } finally {
    document.documentElement.dataset.ready = window.flexwheel ? "yes" : "no";
  }
})();
