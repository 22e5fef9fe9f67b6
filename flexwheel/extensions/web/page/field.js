"use strict";
/* Displacement and stress of a surface from modal coordinates and loads: what surface_tables.py describes.

   Components: 0 to 2 displacement [m], 3 to 8 stress xx yy zz xy yz zx [Pa]. Nodes on rings come first, ring by ring,
   in section axes; the others are in body axes. */

const QUANTITIES = {
  von_mises: { label: "von Mises stress", unit: "MPa", factor: 1e-6 },
  tension: { label: "largest principal stress", unit: "MPa", factor: 1e-6 },
  compression: { label: "smallest principal stress", unit: "MPa", factor: 1e-6 },
  displacement: { label: "flexible displacement, size", unit: "um", factor: 1e6 },
  radial_displacement: { label: "radial displacement, away from the axle", unit: "um", factor: 1e6 },
  stress_error: { label: "error of stress (mesh)", unit: "%", factor: 100 },
};
const STRESS = new Set(["von_mises", "tension", "compression"]);

function vonMises(a, b, c, d, e, f) {
  return Math.sqrt(0.5 * ((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) + 3 * (d * d + e * e + f * f));
}

function principal(a, b, c, d, e, f, largest) {
  const mean = (a + b + c) / 3, x = a - mean, y = b - mean, z = c - mean;
  const size = Math.sqrt((x * x + y * y + z * z + 2 * (d * d + e * e + f * f)) / 6);
  if (size === 0) return mean;
  const half = (x * (y * z - e * e) - d * (d * z - e * f) + f * (d * e - y * f)) / (2 * size ** 3);
  const angle = Math.acos(Math.min(1, Math.max(-1, half))) / 3;
  return mean + 2 * size * Math.cos(largest ? angle : angle + (2 * Math.PI) / 3);
}

/* Weights of values at all S equal angles for the place a share of the way behind the first: Fourier's series through
   them, as the control nodes take it. */
function fourierWeights(share, S) {
  return Float64Array.from({ length: S }, (_, j) => {
    const x = (2 * Math.PI / S) * (share - j);
    let sum = 1;
    for (let n = 1; 2 * n < S; n++) sum += 2 * Math.cos(n * x);
    return (sum + (S % 2 ? 0 : Math.cos((S / 2) * x))) / S;
  });
}

/* The same where sections are many and a picture must be quick: the cubic spline from REACH places before to one more
   behind, by its B-splines. */
const REACH = 8, MANY_SECTIONS = 64;
function splineWeights(share, S) {
  const pole = Math.sqrt(3) - 2, f = share, out = new Float64Array(S);
  const basis = [(1 - f) ** 3 / 6, (3 * f ** 3 - 6 * f * f + 4) / 6, (-3 * f ** 3 + 3 * f * f + 3 * f + 1) / 6, f ** 3 / 6];
  for (let j = -REACH; j <= REACH + 1; j++) for (let m = -1; m <= 2; m++) out[(j + S) % S] += Math.sqrt(3) * basis[m + 1] * pole ** Math.abs(m - j);
  return out;
}

class Surface {
  constructor(known, name, arrays) {
    Object.assign(this, known, { key: name });
    const get = (part) => arrays[`${name}/${part}`];
    [this.position, this.faces, this.edges, this.node_id, this.spread] =
      ["position", "faces", "edges", "node_id", "spread"].map(get);
    this.error = get("error"); // relative, of stress, estimated; of a node, wherever the mesh turns
    [this.waves, this.rows, this.table, this.prestress] = ["waves", "modes", "loads", "prestress"].map(get);
    this.parts = this.stress ? 9 : 3;
    this.ringed = this.harmonic ? this.rings * this.sections : 0;
    this.step = this.sections ? (2 * Math.PI) / this.sections : 0;
    this.loads = this.table ? this.table.count / this.parts : 0;
    this.index = new Map(Array.from(this.node_id, (id, k) => [id, k]));
    this.orders = [...new Set(this.order)];
    this.part = new Float32Array(this.nodes);
    const corner = this.position, y = [], r = [];
    for (let k = 0; k < this.nodes; k++) { y.push(corner[3 * k + 1]); r.push(Math.hypot(corner[3 * k], corner[3 * k + 2])); }
    this.radius = Float32Array.from(r);
    this.width = Math.max(...y) - Math.min(...y);
  }

  /* Part of a section, and whole sections, by which material lies ahead of its own place. */
  ahead(spin) {
    const shift = Math.floor(spin / this.step);
    return { shift, angle: spin - shift * this.step };
  }

  /* Component `c` at all nodes into `out` (N). angle: the nodes lie this far ahead of their sections. */
  component(out, c, w, loads, angle) {
    out.fill(0);
    const S = this.sections, C = this.rings, N = this.nodes, left = N - this.ringed;
    if (this.harmonic) {
      for (const order of this.orders) {
        const cosine = Float64Array.from({ length: S }, (_, s) => Math.cos(order * (s * this.step + angle)));
        const sine = Float64Array.from({ length: S }, (_, s) => Math.sin(order * (s * this.step + angle)));
        for (let ring = 0; ring < C; ring++) {
          let a = 0, b = 0;
          for (let h = 0; h < w.length; h++) {
            if (this.order[h] !== order) continue;
            const from = ((h * this.parts + c) * 2) * C + ring;
            a += w[h] * this.waves[from];
            b += w[h] * this.waves[from + C];
          }
          const to = ring * S;
          for (let s = 0; s < S; s++) out[to + s] += a * cosine[s] + b * sine[s];
        }
      }
    }
    this.add(out, this.ringed, this.rows, c, w, left);
    if (loads && this.table) {
      if (angle === 0) this.add(out, 0, this.table, c, loads, N);
      else {
        this.part.fill(0);
        this.add(this.part, 0, this.table, c, loads, N);
        this.between(out, angle / this.step);
      }
    }
    if (c > 2 && this.prestress) for (let k = 0; k < N; k++) out[k] += this.prestress[(c - 3) * N + k];
  }

  add(out, start, rows, c, weights, count) {
    const used = [], data = rows.data;
    let constant = 0;
    for (let k = 0; k < weights.length; k++) {
      const row = k * this.parts + c, factor = weights[k] * rows.scale[row];
      constant += weights[k] * rows.middle[row];
      if (factor !== 0) used.push([factor, row * count]);
    }
    while (used.length % 4) used.push([0, 0]);
    for (let k = 0; k < used.length; k += 4) { // four at once: the sum is read and written a quarter as often
      const [[f0, a0], [f1, a1], [f2, a2], [f3, a3]] = used.slice(k, k + 4);
      for (let n = 0; n < count; n++) out[start + n] += f0 * data[a0 + n] + f1 * data[a1 + n] + f2 * data[a2 + n] + f3 * data[a3 + n];
    }
    for (let n = 0; n < count; n++) out[start + n] += constant;
  }

  /* Add `part`, given at the sections, at a share of a section beyond each. */
  between(out, share) {
    const S = this.sections, p = this.part, weight = (S > MANY_SECTIONS ? splineWeights : fourierWeights)(share, S);
    for (let ring = 0; ring < this.rings; ring++) {
      const at = ring * S;
      for (let j = 0; j < S; j++) {
        if (weight[j] === 0) continue;
        for (let s = 0, from = j; s < S; s++) {
          out[at + s] += weight[j] * p[at + from];
          if (++from === S) from = 0;
        }
      }
    }
    for (let k = this.ringed; k < this.nodes; k++) out[k] += p[k];
  }

  /* Displacement (3, N) in section axes, of the others in body axes. */
  displacement(into, w, loads, angle) {
    for (let c = 0; c < 3; c++) this.component(into[c], c, w, loads, angle);
  }

  /* Nodes moved by `factor` times the displacement, body axes (N, 3), nodes `angle` ahead of their sections. */
  moved(into, parts, factor, angle) {
    const turn = (k) => (k < this.ringed ? (k % this.sections) * this.step + angle : 0);
    const c0 = Math.cos(angle), s0 = Math.sin(angle), place = this.position;
    const cos = Float64Array.from({ length: this.sections }, (_, s) => Math.cos(turn(s)));
    const sin = Float64Array.from({ length: this.sections }, (_, s) => Math.sin(turn(s)));
    for (let k = 0; k < this.nodes; k++) {
      let [x, y, z] = [parts[0][k], parts[1][k], parts[2][k]];
      const px = place[3 * k], pz = place[3 * k + 2];
      if (k < this.ringed) {
        const c = cos[k % this.sections], s = sin[k % this.sections];
        [x, z] = [c * x + s * z, c * z - s * x];
      }
      into[3 * k] = c0 * px + s0 * pz + factor * x;
      into[3 * k + 1] = place[3 * k + 1] + factor * y;
      into[3 * k + 2] = c0 * pz - s0 * px + factor * z;
    }
  }

  /* All components of one node (9) into `out`; section: where it is among the sections, angle: beyond; exact: by
     Fourier's series however many sections there are. */
  node(out, index, w, loads, section, angle, exact = false) {
    const S = this.sections, on = index < this.ringed, ring = Math.floor(index / S), C = this.rings;
    const N = this.nodes, share = on && loads && angle ? (exact || S <= MANY_SECTIONS ? fourierWeights : splineWeights)(angle / this.step, S) : null;
    for (let c = 0; c < this.parts; c++) {
      let sum = 0;
      for (let h = 0; h < w.length; h++) {
        if (on) {
          const from = ((h * this.parts + c) * 2) * C + ring, a = this.order[h] * (section * this.step + angle);
          sum += w[h] * (this.waves[from] * Math.cos(a) + this.waves[from + C] * Math.sin(a));
        } else sum += w[h] * this.rows.at(h * this.parts + c, index - this.ringed);
      }
      if (loads && this.table) {
        for (let k = 0; k < loads.length; k++) {
          const row = k * this.parts + c;
          if (!on) sum += loads[k] * this.table.at(row, index);
          else if (angle === 0) sum += loads[k] * this.table.at(row, ring * S + section);
          else for (let j = 0; j < S; j++) if (share[j] !== 0) sum += loads[k] * share[j] * this.table.at(row, ring * S + (section + j) % S);
        }
      }
      if (c > 2 && this.prestress) sum += this.prestress[(c - 3) * N + index];
      out[c] = sum;
    }
    return out;
  }

  quantity(name, p, index) {
    if (name === "stress_error") return this.error ? this.error[index] : NaN;
    if (name === "displacement") return Math.hypot(p[0], p[1], p[2]);
    if (name === "radial_displacement") {
      if (index < this.ringed) return -p[2];
      const r = this.radius[index];
      return r > 0 ? (p[0] * this.position[3 * index] + p[2] * this.position[3 * index + 2]) / r : 0;
    }
    if (name === "von_mises") return vonMises(p[3], p[4], p[5], p[6], p[7], p[8]);
    return principal(p[3], p[4], p[5], p[6], p[7], p[8], name === "tension");
  }
}
