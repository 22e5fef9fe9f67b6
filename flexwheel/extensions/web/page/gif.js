"use strict";
/* A film as GIF 89a: each picture has its own colours, pixels by Lempel, Ziv and Welch's code. */

const GIF_COLOURS = 256, GIF_CLEAR = 256, GIF_END = 257, GIF_CODES = 4096;
const cell = (rgba, n) => ((rgba[n] >> 3) << 10) | ((rgba[n + 1] >> 3) << 5) | (rgba[n + 2] >> 3);
const ofCell = (c) => [(c >> 10) & 31, (c >> 5) & 31, c & 31].map((v) => (v << 3) | (v >> 2));

/* [[r, g, b]] of a picture by median cut: the box with most pixels times width is cut where its pixels halve. */
function palette(rgba) {
  const count = new Uint32Array(32768);
  for (let n = 0; n < rgba.length; n += 4) count[cell(rgba, n)]++;
  const box = (cells) => {
    const ranges = [10, 5, 0].map((shift) => { const v = cells.map((c) => (c >> shift) & 31); return [v.reduce((a, b) => Math.max(a, b)) - v.reduce((a, b) => Math.min(a, b)), shift]; });
    const [width, shift] = ranges.reduce((a, b) => (b[0] > a[0] ? b : a));
    return { cells, shift, weight: width * Math.sqrt(cells.reduce((sum, c) => sum + count[c], 0)) }; // the root: rare colours count too
  };
  const boxes = [box(Array.from(count.keys()).filter((c) => count[c]))];
  while (boxes.length < GIF_COLOURS) {
    const widest = boxes.reduce((a, b, n) => (b.weight > boxes[a].weight ? n : a), 0), { cells, shift, weight } = boxes[widest];
    if (!(weight > 0)) break;
    const sorted = cells.slice().sort((a, b) => ((a >> shift) & 31) - ((b >> shift) & 31)), half = sorted.reduce((sum, c) => sum + count[c], 0) / 2;
    let cut = 0;
    for (let sum = 0; cut < sorted.length - 1 && sum < half; cut++) sum += count[sorted[cut]];
    boxes.splice(widest, 1, box(sorted.slice(0, Math.max(1, cut))), box(sorted.slice(Math.max(1, cut))));
  }
  return boxes.map(({ cells }) => {
    const all = cells.reduce((sum, c) => sum + count[c], 0);
    return [0, 1, 2].map((k) => Math.round(cells.reduce((sum, c) => sum + count[c] * ofCell(c)[k], 0) / all));
  });
}

/* Bytes of the pixels' code. */
function lzw(pixels) {
  const bytes = [], known = new Uint16Array(GIF_CODES * GIF_COLOURS);
  let bits = 0, held = 0, size = 9, next = GIF_END + 1, code = pixels[0];
  const put = (value) => { bits |= value << held; for (held += size; held >= 8; held -= 8) { bytes.push(bits & 255); bits >>>= 8; } };
  put(GIF_CLEAR);
  for (let n = 1; n < pixels.length; n++) {
    const key = code * GIF_COLOURS + pixels[n];
    if (known[key]) { code = known[key]; continue; }
    put(code);
    code = pixels[n];
    if (next === GIF_CODES) { put(GIF_CLEAR); known.fill(0); [next, size] = [GIF_END + 1, 9]; continue; }
    if (next >= 1 << size) size++;
    known[key] = next++;
  }
  put(code);
  put(GIF_END);
  if (held) bytes.push(bits & 255);
  return bytes;
}

class Gif {
  constructor(width, height) { Object.assign(this, { width, height, parts: [] }); }

  /* rgba: of a picture; seconds: how long the one before it was seen. */
  add(rgba, seconds) {
    const colours = palette(rgba), nearest = new Int16Array(32768).fill(-1), pixels = new Uint8Array(rgba.length / 4);
    for (let n = 0; n < pixels.length; n++) {
      const c = cell(rgba, 4 * n);
      if (nearest[c] < 0) {
        const own = ofCell(c), away = colours.map((p) => (p[0] - own[0]) ** 2 + (p[1] - own[1]) ** 2 + (p[2] - own[2]) ** 2);
        nearest[c] = away.indexOf(Math.min(...away));
      }
      pixels[n] = nearest[c];
    }
    this.wait(seconds);
    const table = Uint8Array.from({ length: 3 * GIF_COLOURS }, (_, k) => (colours[Math.floor(k / 3)] ?? [0, 0, 0])[k % 3]);
    this.parts.push({ table, pixels: Uint8Array.from(lzw(pixels)), hundredths: 4 });
  }
  wait(seconds) { if (this.parts.length) this.parts[this.parts.length - 1].hundredths = Math.max(2, Math.round(100 * seconds)); }

  blob() {
    const word = (v) => [v & 255, v >> 8], { width, height } = this;
    const out = [Uint8Array.of(...Array.from("GIF89a", (c) => c.charCodeAt(0)), ...word(width), ...word(height), 0x70, 0, 0, 0x21, 0xff, 11, ...Array.from("NETSCAPE2.0", (c) => c.charCodeAt(0)), 3, 1, 0, 0, 0)];
    for (const { table, pixels, hundredths } of this.parts) {
      out.push(Uint8Array.of(0x21, 0xf9, 4, 0, ...word(hundredths), 0, 0, 0x2c, 0, 0, 0, 0, ...word(width), ...word(height), 0x87), table, Uint8Array.of(8));
      for (let n = 0; n < pixels.length; n += 255) { const block = pixels.subarray(n, n + 255); out.push(Uint8Array.of(block.length), block); }
      out.push(Uint8Array.of(0));
    }
    return new Blob([...out, Uint8Array.of(0x3b)], { type: "image/gif" });
  }
}
