"""What tests ask of a page of a run: expressions for its window."""

import re

import numpy as np

MOST = """(() => { const [x, y, z] = flexwheel.app.scenes[0].flexible.front.displacement;
    return x.reduce((most, _, k) => Math.max(most, Math.hypot(x[k], y[k], z[k])), 0); })()"""  # [m]
PLACE_OF = """((p) => { const { stage } = flexwheel.app, at = stage.project(p);
    const r = stage.canvas.getBoundingClientRect();
    return [at[0] / stage.ratio + r.x, at[1] / stage.ratio + r.y]; })"""  # in the window, of a point of the scene
WAIT = "(async () => { for (let n = 0; n < 300 && !(%s); n++) await new Promise((done) => setTimeout(done, 20)); })()"
LISTED = "[...document.querySelectorAll('#panel .list button')].find((b) => b.textContent.startsWith('%s'))"
SEEN_NODE = f"""(() => {{ const {{ stage, scenes: [s] }} = flexwheel.app, f = s.flexible.front; stage.port = s.port;
    for (let k = 0; k < f.surface.nodes; k += 7) {{
        const at = stage.project(Matrix.at(f.model, f.place.subarray(3 * k, 3 * k + 3)));
        if (!at) continue;
        const [u, v] = [at[0] / stage.ratio, at[1] / stage.ratio];
        const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [u + dx, v + dy])); // a click has whole pixels
        if (!near.every((place) => pickAt(stage, ...place)?.id === f.surface.node_id[k])) continue;
        return [...{PLACE_OF}(Matrix.at(f.model, f.place.subarray(3 * k, 3 * k + 3))), f.surface.node_id[k]];
    }}
    return null; }})()"""  # place in the window and number of a node that nothing hides
CONTRASTS = """(() => { const found = {}, behind = (e) => { for (; e; e = e.parentElement) {
            const c = getComputedStyle(e).backgroundColor; if (!c.endsWith(', 0)')) return c; } return '#000000'; };
        const keep = (least, one, other, e) => { found[[least, one, other]] = [least, one, other, e.id || e.tagName]; };
        for (const e of document.querySelectorAll('body *')) {
            const style = getComputedStyle(e), own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
            if (!e.checkVisibility() || e.tagName === 'SCRIPT') continue;
            if (own || e.matches('input, select')) keep(4.5, style.color, behind(e), e);
            if (e.matches('button, input:not([type=range]), select')) {
                keep(3, style.borderTopColor, behind(e.parentElement), e);
                keep(3, style.getPropertyValue('--accent').trim(), behind(e.parentElement), e); } }
        const back = getComputedStyle(document.body);
        keep(4.5, back.getPropertyValue('--text').trim(), back.getPropertyValue('--back').trim(), document.body);
        return Object.values(found); })()"""  # [least, a colour, the one behind it, where] of all that is there


def luminance(colour):
    """Relative luminance of a CSS colour, by WCAG 2.1."""
    words = re.findall(r"[\d.]+", colour)[:3] if colour[0] != "#" else [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    part = np.array(words, dtype=float) / 255.0
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


CULLED = """(() => {
  const { app } = flexwheel, { gl } = app.drawing, { width, height } = app.stage.canvas, kept = gl.enable.bind(gl);
  const seen = () => {
    const all = new Uint8Array(4 * width * height);
    app.stage.draw(app.rows());
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, all);
    return all;
  };
  const shown = seen();
  gl.enable = (what) => { if (what !== gl.CULL_FACE) kept(what); };
  const whole = seen();
  gl.enable = (what) => { if (what === gl.CULL_FACE) gl.cullFace(gl.FRONT); kept(what); };
  const inside = seen(), unlike = (a, b) => a.reduce((sum, v, k) => sum + (Math.abs(v - b[k]) > 8), 0) / a.length;
  [gl.enable] = [kept, gl.cullFace(gl.BACK)];
  return [unlike(whole, shown), unlike(whole, inside)];
})()"""  # share of the picture that changes without faces seen from inside, without those seen from outside
