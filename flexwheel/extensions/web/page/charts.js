"use strict";
/* A curve with axes, units and one cursor; a spectrum. */

function ticks(low, high, count) {
  const raw = (high - low) / count || 1, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((f) => f * power >= raw), out = [];
  for (let v = Math.ceil(low / step - 1e-9) * step; v <= high + 1e-9 * step; v += step) out.push(Math.abs(v) < 1e-9 * step ? 0 : v);
  return out;
}
const shown = (v) => (v === 0 ? "0" : Math.abs(v) >= 1e5 || Math.abs(v) < 1e-3 ? v.toExponential(0) : String(+v.toPrecision(4)));

const TOP = 20; // [CSS px] above the curve

class Chart {
  constructor(canvas, pick) {
    this.canvas = canvas;
    canvas.addEventListener("click", (event) => {
      if (!this.x || this.log || !pick) return;
      const part = (event.offsetX - this.left) / (canvas.clientWidth - this.left - 8);
      pick(this.low + part * (this.high - this.low));
    });
  }

  /* limit: x above which the curve does not hold. */
  set(x, y, xlabel, ylabel, log = false, limit = Infinity) {
    this.canvas.hidden = false;
    Object.assign(this, { x, y, xlabel, ylabel, log, limit, left: 58 });
    [this.low, this.high] = [x[log ? 1 : 0], x[x.length - 1]];
    const some = Array.from(y).filter((v) => Number.isFinite(v) && (!log || v > 0));
    this.bottom = some.reduce((a, b) => Math.min(a, b), Infinity);
    this.top = some.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(this.top > this.bottom)) [this.bottom, this.top] = [(this.bottom || 0) - 1, (this.bottom || 0) + 1];
    if (log) { this.top = 10 ** Math.ceil(Math.log10(this.top)); this.bottom = Math.max(this.bottom, this.top * 1e-6); }
    this.draw();
  }

  draw(cursor = this.cursor) {
    this.cursor = cursor;
    if (!this.x) return;
    const { canvas, left } = this, ratio = window.devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
    if (!w) return;
    [canvas.width, canvas.height] = [w * ratio, h * ratio];
    const c = canvas.getContext("2d", { willReadFrequently: true }), style = getComputedStyle(document.documentElement), colour = (n) => style.getPropertyValue(n);
    c.scale(ratio, ratio);
    c.font = "11px system-ui, sans-serif";
    const log = this.log ? Math.log10 : (v) => v, [lx, hx, ly, hy] = [this.low, this.high, this.bottom, this.top].map(log);
    const X = (v) => left + ((log(v) - lx) / (hx - lx)) * (w - left - 8), Y = (v) => h - 32 - ((log(v) - ly) / (hy - ly)) * (h - 32 - TOP);
    c.fillStyle = colour("--text");
    c.strokeStyle = colour("--line");
    c.lineWidth = 0.5;
    const of = (low, high, n) => (this.log ? Array.from({ length: Math.floor(high + 1e-9) - Math.ceil(low - 1e-9) + 1 }, (_, k) => 10 ** (Math.ceil(low - 1e-9) + k)) : ticks(low, high, n));
    c.textAlign = "center";
    for (const v of of(lx, hx, 5)) { c.beginPath(); c.moveTo(X(v), TOP); c.lineTo(X(v), h - 32); c.stroke(); c.fillText(shown(v), X(v), h - 20); }
    c.textAlign = "right";
    for (const v of of(ly, hy, 4)) { c.beginPath(); c.moveTo(left, Y(v)); c.lineTo(w - 8, Y(v)); c.stroke(); c.fillText(shown(v), left - 4, Y(v) + 4); }
    c.textAlign = "left";
    c.fillText(this.ylabel, 4, 11);
    c.textAlign = "right";
    c.fillText(this.xlabel, w - 8, h - 5);
    if (this.limit < this.high) {
      const from = X(Math.max(this.limit, this.low));
      c.globalAlpha = 0.35;
      c.fillStyle = colour("--line");
      c.fillRect(from, TOP, w - 8 - from, h - 32 - TOP);
      c.globalAlpha = 1;
      c.fillStyle = colour("--text");
      c.textAlign = "left";
      if (w - from > 60) c.fillText("not valid", from + 3, TOP + 11);
    }
    c.strokeStyle = colour("--accent");
    c.lineWidth = 1.2;
    c.beginPath();
    let started = false, column = -1, low = 0, high = 0;
    const flush = () => { if (column >= 0) { c.lineTo(column, low); c.lineTo(column, high); } };
    for (let k = this.log ? 1 : 0; k < this.x.length; k++) { // every pixel keeps the lowest and highest value of its samples
      const v = this.y[k];
      if (!Number.isFinite(v) || (this.log && v < this.bottom)) continue;
      const px = Math.round(X(this.x[k]) * 2) / 2, py = Y(v);
      if (px === column) { low = Math.min(low, py); high = Math.max(high, py); continue; }
      flush();
      if (!started) { c.moveTo(px, py); started = true; }
      [column, low, high] = [px, py, py];
    }
    flush();
    c.stroke();
    if (cursor !== undefined && !this.log && cursor >= lx && cursor <= hx) {
      c.strokeStyle = colour("--text");
      c.beginPath(); c.moveTo(X(cursor), TOP); c.lineTo(X(cursor), h - 32); c.stroke();
    }
  }
}

/* Amplitude spectrum (Hann) of equally spaced samples: { frequency [Hz], amplitude }. */
function spectrum(values, step) {
  let n = 1;
  while (2 * n <= values.length) n *= 2;
  const re = new Float64Array(n), im = new Float64Array(n);
  let mean = 0;
  for (let k = 0; k < n; k++) mean += values[k] / n;
  for (let k = 0; k < n; k++) re[k] = (values[k] - mean) * (1 - Math.cos((2 * Math.PI * k) / n));
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [re[i], re[j]] = [re[j], re[i]];
  }
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2, turn = (-2 * Math.PI) / size;
    for (let k = 0; k < half; k++) {
      const c = Math.cos(turn * k), s = Math.sin(turn * k);
      for (let a = k; a < n; a += size) {
        const b = a + half, x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
        [re[b], im[b]] = [re[a] - x, im[a] - y];
        re[a] += x;
        im[a] += y;
      }
    }
  }
  const frequency = [], amplitude = [];
  for (let k = 0; k < n / 2; k++) { frequency.push(k / (n * step)); amplitude.push((2 * Math.hypot(re[k], im[k])) / n); }
  return { frequency, amplitude };
}
