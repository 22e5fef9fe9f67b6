"use strict";
/* The picture of what is seen, and a film of it. */

const FILM_RATE = 25; // [frames/s] at most
const FILM_BITS = 8e6; // [bit/s]
const GIF_RATE = 12.5, GIF_WIDTH = 900; // [frames/s], [px] at most
const FILMS = { gif: "", webm: "video/webm", mp4: "video/mp4" }; // ending of the file, what a browser calls it
/* Endings of the films that this browser can make. */
const filmsHere = () => Object.keys(FILMS).filter((name) => !FILMS[name] || (window.MediaRecorder?.isTypeSupported(FILMS[name]) && HTMLCanvasElement.prototype.captureStream));

class Film {
  constructor(app) {
    this.app = app;
    this.canvas = document.createElement("canvas");
  }

  /* Scene, labels, legend, time and title on one canvas. */
  compose() {
    const { stage } = this.app, { labels } = stage, { width, height } = labels, ratio = stage.ratio, c = this.canvas.getContext("2d");
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    stage.coarse = false;
    stage.draw(stage.rows); // what WebGL has drawn is there until the browser takes it
    c.drawImage(stage.canvas, 0, 0, width, height);
    c.drawImage(labels, 0, 0);
    const style = getComputedStyle(document.documentElement), text = (words, x, y) => { c.strokeText(words, x, y); c.fillText(words, x, y); };
    Object.assign(c, { font: `${13 * ratio}px system-ui, sans-serif`, textAlign: "left", lineJoin: "round", lineWidth: 4 * ratio, strokeStyle: style.getPropertyValue("--back"), fillStyle: style.getPropertyValue("--text") });
    text(`${document.title.replace(/ - flexwheel$/, "")}   ${this.app.view.mode === null && !this.app.rest ? `t = ${this.app.time.toFixed(4)} s` : byId("now").textContent}`, 10 * ratio, height - 10 * ratio);
    if (byId("legend").hidden) return;
    text(byId("legend_title").textContent, 10 * ratio, 20 * ratio);
    c.drawImage(byId("legend_bar"), 10 * ratio, 32 * ratio, 16 * ratio, 160 * ratio);
    for (const tick of byId("legend_ticks").children) text(tick.textContent, 32 * ratio, (37 + 1.6 * parseFloat(tick.style.top)) * ratio);
    byId("legend_note").textContent.split("; ").forEach((words, n) => text(words, 10 * ratio, (212 + 16 * n) * ratio));
  }

  picture() {
    this.compose();
    return new Promise((done) => this.canvas.toBlob((blob) => done(this.keep(blob, "png")), "image/png"));
  }

  get running() { return !!this.recorder; }
  /* kind: of FILMS */
  start(kind) {
    this.compose();
    if (FILMS[kind]) this.record(kind); else this.draw();
  }
  record(kind) {
    const parts = [], stream = this.canvas.captureStream(FILM_RATE);
    this.recorder = new MediaRecorder(stream, { mimeType: FILMS[kind], videoBitsPerSecond: FILM_BITS });
    this.recorder.ondataavailable = (e) => parts.push(e.data);
    this.ended = new Promise((done) => { this.recorder.onstop = () => { stream.getTracks().forEach((t) => t.stop()); done(this.keep(new Blob(parts, { type: FILMS[kind] }), kind)); this.recorder = null; }; });
    this.recorder.start();
    const frame = () => { if (!this.recorder || this.recorder.state !== "recording") return; this.compose(); this.timer = setTimeout(frame, 1000 / FILM_RATE); };
    frame();
  }
  /* A GIF, its pictures as long as they were seen. */
  draw() {
    const { canvas } = this, share = Math.min(1, GIF_WIDTH / canvas.width), small = document.createElement("canvas");
    Object.assign(small, { width: Math.round(share * canvas.width), height: Math.round(share * canvas.height) });
    const c = small.getContext("2d", { willReadFrequently: true }), gif = new Gif(small.width, small.height);
    let seen = performance.now();
    const add = () => {
      this.compose();
      c.drawImage(canvas, 0, 0, small.width, small.height);
      const now = performance.now();
      gif.add(c.getImageData(0, 0, small.width, small.height).data, (now - seen) / 1000);
      seen = now;
    };
    const frame = () => { add(); this.timer = setTimeout(frame, Math.max(10, 1000 / GIF_RATE - (performance.now() - seen))); };
    this.recorder = { stop: () => { add(); this.recorder = null; this.ended = Promise.resolve(this.keep(gif.blob(), "gif")); } }; // the last picture is what is seen at its end
    frame();
  }
  stop() {
    clearTimeout(this.timer);
    this.recorder.stop();
    return this.ended;
  }

  keep(blob, ending) {
    const link = element("a", { href: URL.createObjectURL(blob), download: `flexwheel_${this.app.time.toFixed(3)}s.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    this.last = blob;
    return blob;
  }
}
