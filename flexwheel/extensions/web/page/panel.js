"use strict";
/* Controls beside the scene: each has a label, so that keyboard and screen reader reach it. */

function element(tag, settings = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(settings)) if (key in made && key !== "list") made[key] = value; else made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const motionWords = (m) => `${m.frequency.toFixed(2)} Hz, ${m.damping === null ? `${m.label}: ${shown(+m.size.toPrecision(3))} of the rails' amplitude` : `damping ${(100 * m.damping).toFixed(1)} %${m.damping < 0 ? " (grows)" : ""}, ${m.label}`}`;
const MOVES = ["along", "lateral", "vertical", "yaw", "roll", "pitch"];

class Panel {
  constructor(place, app) {
    Object.assign(this, { place, app });
    const { view } = app, redraw = () => app.touch();
    const [scene] = app.scenes, flexible = scene.wheelsets.filter((w) => w in scene.flexible), any = flexible.length > 0, { wheels, bodies, rest, motions, found } = scene.run, rolls = wheels.length > 0, runs = !rest, has = rolls ? wheelsHave(scene) : {};
    const followed = rolls ? scene.wheelsets.map((w) => [w, w.startsWith("wheelset") ? w : `wheelset ${w}`]) : bodies.map((b) => [b, `vehicle ${b}`]), own = app.colours.length > 0;
    this.has = has;
    if (rest && motions.length) this.motions(scene, rest);
    if (found) this.found(found);
    if (!found) this.section("View", [
      this.choice("follow", "follow", [["vehicle", rolls ? "whole vehicle" : "whole train"], ...followed, ["train", "train's view, ahead"], ["free", "free, stands at the track"]], () => app.followed()),
      this.check("vehicle", rolls ? "vehicle and springs" : "vehicles"), ...(app.meshes.length ? [this.check("clear", "see through the bodies' meshes")] : []), ...(rolls && runs ? [this.check("forces", "forces on the wheels (arrows)"), ...(has.pressure ? [this.check("pressure", "pressure of the contact patches")] : [])] : []), ...(any ? [this.check("edges", "mesh edges")] : []),
      element("p", { className: "note" }, rest ? "Track drawn straight; rails stand still. Boxes: no file states a body's size." : !rolls ? "Vehicles have their length over couplers less 1 m; no file states more of their size. Click a vehicle: its history." : [`Arrows: force of the rail on the wheel, ${has.patches ? "at its patches on the rail" : "at its lowest point"}; Q downward on the rail, Y to the field side. Track drawn straight. Boxes: no file states a body's size.`,
        ...(has.pressure ? [`Patches x ${PATCH_FACTOR}, ${scene.run.strips?.found ? "at instants of the lists with the pressure of the contact law's strips (hot spots: all wheels; extremes: their wheelset), elsewhere" : "with their stored half axes and largest pressure,"} as half an ellipsoid over the stored half axes; in outline where the pressure misses the normal force by 10 % or more (zones that merge, patches far from an ellipse).`, ...this.stripsMissing(scene.run.strips)] : []),
        ...(has.rail ? ["Rails: deflection under the wheels is the run's; the line between is that of a beam on an elastic bed."] : [])].join(" ")),
      ...(app.meshes.length ? [element("p", { className: "note" }, `Bodies drawn by a mesh, rigid: ${app.meshes.join("; ")}.`)] : []),
    ]);
    if (rest && any) this.section("Colour", [this.choice("map", "colours", Object.keys(MAPS).map((n) => [n, n]), () => { app.drawing.colours(view.map); redraw(); })]);
    if (own) {
      this.section("Colour", [
        this.choice("quantity", "quantity", app.colours.map((q) => [q.name, q.label]), () => { app.ranged(); app.again(); }),
        this.choice("map", "colours", Object.keys(MAPS).map((n) => [n, n]), () => { app.drawing.colours(view.map); redraw(); }),
        this.choice("scale", "range", [["run", "over the run"], ["now", "this instant"], ["hand", "by hand"]], () => app.ranged()),
        this.number("low", "lowest"), this.number("high", "highest"), this.slider("cross", "width, height", 0, 50),
      ]);
    }
    if (any && runs) {
      const quantities = Object.entries(QUANTITIES).filter(([name]) => (app.hasStress || !STRESS.has(name)) && (name !== "stress_error" || app.hasError)).map(([name, q]) => [name, q.label]);
      this.section("Colour", [
        this.choice("quantity", "quantity", quantities, () => { app.ranged(); app.again(); }),
        this.choice("map", "colours", Object.keys(MAPS).map((n) => [n, n]), () => { app.drawing.colours(view.map); redraw(); }),
        this.choice("scale", "range", [["run", "over instants of the run"], ["now", "this instant"], ["hand", "by hand"]], () => app.ranged()),
        this.number("low", "lowest"), this.number("high", "highest"),
        ...(app.hasError || !app.hasStress ? [] : [element("p", { className: "note" }, "Error of stress by the mesh over the surface: of flexwheel stress, where it was run before this page was written.")]),
        ...(app.hasStress ? [this.check("spread", "colour nodes near the patches too"), element("p", { className: "note" }, "Stress does not hold there: grey, where the contact force is spread over nodes; paler, within 100 mm of a patch, where its own field is missing, which flexwheel stress adds. Neither counts as the largest.")] : []),
        ...(!app.flexible.some((f) => f.surface.harmonic) ? [] : [this.choice("turning", "mesh", [["", "non-turning"], ["1", "turning with the wheel"]], () => { view.turning = view.turning === "1"; redraw(); })]),
      ]);
      this.section("Exaggeration", [this.slider("static", "mean deformation", 0, 2000), this.slider("dynamic", "its change", 0, 2000), this.slider("rails", "rail deflection", 0, 50),
        element("p", { className: "note" }, "Mean over the samples shown. Patches and arrows stand on the rails; the wheels meet them there where all factors are 1.")]);
    }
    const of = app.scenes.length > 1 ? ` of ${scene.run.name}` : "";
    if (app.hot.length) this.section(`Hot spots${of}`, [this.buttons(app.hot.map((h) => [`${(h.von_mises / 1e6).toFixed(1)} MPa, ${h.wheelset}, node ${h.node}, t = ${h.time.toFixed(4)} s`, () => app.jump(h)])),
      element("p", { className: "note" }, "Largest von Mises stress of 250 instants after the first tenth of the run, 8 cm apart at least, none under the load; the non-turning mesh. All samples: flexwheel stress.")]);
    if (scene.run.control.length) this.section(`Control nodes${of}`, [this.buttons(scene.run.control.map((c) => [`${c.name}, node ${c.node}: ${wordsOf(c)}`, () => app.choose({ scene, wheelset: c.wheelset, id: c.node })])),
      element("p", { className: "note" }, "Estimated from the mesh where the run kept it; marked in the scene.")], false);
    const { extremes } = scene.run;
    if (extremes.length) this.section(`Extremes of forces${of}`, [this.buttons(extremes.map((e) => [`${e.text} at ${e.time.toFixed(3)} s`, () => { app.mode(null); app.at(e.time); if (e.wheel) app.choose({ scene, wheel: e.wheel }); }])), element("p", { className: "note" }, rolls ? "Of all samples of the run, without the first tenth; the page goes to the nearest one that it has." : "Of all steps of the solver; the page goes to the nearest sample.")]);
    const ask = [...(any ? [this.ask(flexible)] : []), ...(rolls ? [this.chosen("wheel", wheels), this.choice("wheel_quantity", "of a wheel", wheelQuantities(scene).map((n) => [n, WHEEL_QUANTITIES[n].label]), () => app.again())] : [])];
    if (bodies.length) ask.push(this.chosen("body", bodies, own ? "vehicle" : "body"), ...(own ? [] : [this.choice("body_quantity", "of a body", Object.entries(BODY_QUANTITIES).map(([n, q]) => [n, q.label]), () => app.again())]));
    if (runs) this.section("History", [element("p", { id: "node_told", className: "note" }, `Click ${any ? "a node of a flexible wheelset, " : ""}${rolls ? "a wheel where it touches the rail, a body" : "a vehicle"}, or choose it here.`), ...ask,
      element("canvas", { id: "history", className: "chart", hidden: true, role: "img", "aria-label": "History of what is chosen" }), element("canvas", { id: "spectrum", className: "chart", hidden: true, role: "img", "aria-label": "Spectrum of what is chosen" }), (this.shares = element("table", { id: "shares", hidden: true }))]);
    if (any) {
      const s = app.scenes[0].flexible[flexible[0]].surface;
      if (s.modes) this.section("Modes", [this.buttons([[found ? "show what was found" : rest ? "show it at rest" : "show the run again", () => app.mode(null)], ...s.frequency.map((f, k) => [`mode ${k + 1}: ${f.toFixed(1)} Hz${s.mesh_error[k] ? ` (+${shown(+(100 * s.mesh_error[k]).toPrecision(2))} %)` : ""}${s.order[k] >= 0 ? `, order ${s.order[k]}` : ""}${s.damping[k] === null ? "" : `, damping ${shown(+(100 * s.damping[k]).toPrecision(3))} %`}`, () => app.mode(k)])], true),
        element("p", { className: "note" }, "In brackets: by which the mesh puts the frequency too high, estimated. Order: waves around the axle.")], !!found);
    }
    if (motions.length && runs) this.motions(scene, rest);
    this.wheels = element("table", { id: "wheels" });
    if (rolls && runs) this.section("Wheels now", [this.wheels]);
  }

  /* Complex modes or shapes of a response, and amplitude and phase of what moves in that shown. */
  motions(scene, rest) {
    const { app } = this, { motions } = scene.run, modes = motions[0].damping !== null;
    this.moving = element("table", { id: "moving" });
    this.section(modes ? "Motions of the vehicle" : "Response of the vehicle", [this.buttons([[rest ? "show it at rest" : "show the run again", () => app.mode(null)], ...motions.map((m, k) => [motionWords(m), () => app.mode(-1 - k)])], true, rest ? 1 : -1),
      this.slider("swing", "largest, as drawn", 0, 2, (v) => `${v} m`),
      element("p", { className: "note" }, modes ? `Complex modes on straight smooth track${rest ? "" : " at the run's speed"}, as flexwheel eigen has them${rest ? "" : ": dry friction sticks"}; drawn with steady amplitude and slowly. Turning counts by its displacement at 1 m.`
        : "To a sine in both rails: level up in both, cross level up in the left and down in the right, alignment to the left in both; at the nearest frequency that was solved (--step-hz). Share: of the largest displacement, turning taken at 1 m. Phase: ahead of the irregularity at place 0 of the vehicle file; drawn slowly."), this.moving], rest);
  }
  /* view.mode -1 - m: motion m */
  tellMotion(scene, m) {
    if (!this.moving) return;
    const { run } = scene, all = scene.arrays[`${run.key}/motions`], found = [], modes = m >= 0 && run.motions[m].damping !== null;
    this.moving.hidden = m < 0;
    if (m < 0) return;
    const factor = modes ? 1 : run.motions[m].size;
    run.bodies.forEach((body, b) => {
      for (let r = 0; r < 6; r++) {
        const [re, im] = [0, 1].map((n) => all[12 * (m * run.bodies.length + b) + 2 * r + n]), size = Math.hypot(re, im);
        found.push([body, r, size, (Math.atan2(im, re) * 180) / Math.PI]);
      }
    });
    found.sort((a, b) => b[2] - a[2]);
    const rows = found.slice(0, 12).filter((row) => row[2] > 0.01).map(([body, r, size, phase]) => [`${body} ${MOVES[r]}`, `${shown(+(factor * size).toPrecision(3))}${r < 3 ? "" : " rad/m"}`, `${Math.round(phase) || 0}`]);
    this.moving.replaceChildren(element("caption", {}, `Rigid motions, ${modes ? "of the largest displacement" : "for each unit of the rails' amplitude"}`), ...[["motion", "amplitude", "phase [deg]"], ...rows].map((row, n) => element("tr", {}, ...row.map((cell) => element(n ? "td" : "th", n ? {} : { scope: "col" }, cell)))));
  }

  /* Why wheels at instants of the lists are without strips. strips: of strip_pressures.py */
  stripsMissing(strips) {
    if (!strips) return [];
    const { found, missed, unasked } = strips;
    return [...(missed ? [`Strips of ${missed} of ${found + missed} wheels there were not found again.`] : []),
      ...(unasked ? [`Strips of ${unasked} of ${found + missed + unasked} wheels there were not asked for: their rail changes along the track (contact.along).`] : [])];
  }

  /* What a mesh was taken for, in words. */
  found(found) {
    const lines = (all) => element("ul", { className: "lines" }, ...all.map((text) => element("li", {}, text)));
    this.section("View", [this.check("edges", "mesh edges"), element("p", { className: "note" }, "Drag to turn, wheel to approach. Marks in red: stress off by more than 5 % on this mesh (estimated), or a corner without a radius.")]);
    const named = found.marks.filter((m) => m.label).map((m) => m.label);
    if (named.length) this.section("Found", [lines(named)]);
    if (found.audit.length) this.section("Import and reduction", [lines(found.audit)], false);
  }

  section(title, parts, open = true) {
    const made = element("details", { open }, element("summary", {}, title), ...parts);
    this.place.append(made);
    return made;
  }
  row(text, ...controls) { return element("label", { className: "row" }, element("span", {}, text), ...controls); }
  choice(key, text, options, then) {
    const { view } = this.app, made = element("select", { id: key }, ...options.map(([value, name]) => element("option", { value }, name)));
    made.value = view[key] === true ? "1" : view[key] || options[0][0];
    made.onchange = () => { view[key] = made.value; then(); };
    return this.row(text, made);
  }
  check(key, text) {
    const { view } = this.app, made = element("input", { id: key, type: "checkbox", checked: view[key] });
    made.onchange = () => { view[key] = made.checked; this.app.ranged(); };
    return element("label", { className: "row tick" }, made, element("span", {}, text));
  }
  slider(key, text, min, max, words = (v) => `x ${v}`) {
    const { view } = this.app, told = element("output", {}), made = element("input", { id: key, type: "range", min: 0, max: 1000, step: 1 });
    const tell = () => { told.textContent = words(+view[key].toPrecision(3)); };
    const to = (v) => (v <= 0 ? 0 : Math.round(1000 * Math.log10(1 + v) / Math.log10(1 + max)));
    made.value = to(view[key]);
    made.oninput = () => { view[key] = +(10 ** ((made.value / 1000) * Math.log10(1 + max)) - 1).toPrecision(2); if (key === "swing" && view.mode < 0) view.range = [0, this.app.swingTop(-1 - view.mode)]; tell(); this.app.touch(); };
    made.show = () => { made.value = to(view[key]); tell(); };
    tell();
    return this.row(text, made, told);
  }
  number(key, text) {
    const made = element("input", { id: key, type: "number", step: "any" });
    made.onchange = () => { this.app.byHand(key, +made.value); };
    return this.row(text, made, element("span", { className: "unit" }));
  }
  buttons(list, pressed = false, first = -1) {
    const made = element("ul", { className: "list" });
    for (const [n, [text, act]] of list.entries()) {
      const button = element("button", { type: "button" }, text);
      if (pressed) button.setAttribute("aria-pressed", String(n === first));
      button.onclick = () => { act(); if (pressed) for (const b of this.place.querySelectorAll("button[aria-pressed]")) b.setAttribute("aria-pressed", String(b === button)); };
      made.append(element("li", {}, button));
    }
    return made;
  }
  ask(flexible) {
    const set = element("select", { id: "node_wheelset", "aria-label": "Wheelset of the node" }, ...flexible.map((w) => element("option", { value: w }, w)));
    const id = element("input", { id: "node_id", type: "number", "aria-label": "Number of the node" }), go = element("button", { type: "button" }, "show");
    go.onclick = () => this.app.choose({ scene: this.app.scenes[0], wheelset: set.value, id: +id.value });
    return element("div", { className: "row" }, set, id, go);
  }

  chosen(what, names, text = what) {
    const made = element("select", { id: `${what}_chosen` }, ...names.map((name) => element("option", { value: name }, name))), go = element("button", { type: "button", id: `${what}_show`, "aria-label": `Show the history of the ${text}` }, "show");
    go.onclick = () => this.app.choose({ scene: this.app.scenes[0], [what]: made.value });
    return element("div", { className: "row" }, this.row(text, made), go);
  }

  /* Shares of modes, forces and patches of every wheel at the sample shown. */
  tell(scene, k) {
    const { node } = this.app.view;
    if (scene.run.rest) return;
    this.shares.hidden = !node?.wheelset;
    if (node?.wheelset) {
      const rows = sharesOf(node, node.scene === scene ? k : node.scene.row(scene.time(k)));
      this.shares.replaceChildren(element("caption", {}, `Displacement of node ${node.id} now, by mode`), ...rows.map(([name, share]) => element("tr", {}, element("td", {}, name), element("td", {}, `${(100 * share).toFixed(1)} %`))));
    }
    const { has } = this, rows = [["wheel", "Q [kN]", "Y [kN]", "Y/Q", ...(has.patches ? ["patches"] : []), ...(has.pressure ? ["p max [MPa]"] : [])]];
    for (const wheelset of scene.wheelsets) for (const side of ["left", "right"]) {
      const wheel = `${wheelset} ${side}`, force = scene.get("wheel_force", wheel), patches = scene.patches(wheelset, wheel, k);
      const [y, q] = [force.at(1, k), force.at(2, k)];
      rows.push([wheel, (q / 1e3).toFixed(1), (y / 1e3).toFixed(1), q > 1 ? (y / q).toFixed(2) : "-", ...(has.patches ? [patches.length] : []), ...(has.pressure ? [(scene.wheelPressure(wheel, k) / 1e6).toFixed(0)] : [])]);
    }
    const caption = this.app.scenes.length > 1 ? [element("caption", {}, `of ${scene.run.name}`)] : [];
    this.wheels.replaceChildren(...caption, ...rows.map((row, n) => element("tr", {}, ...row.map((cell) => element(n ? "td" : "th", n ? {} : { scope: "col" }, String(cell))))));
  }
}
