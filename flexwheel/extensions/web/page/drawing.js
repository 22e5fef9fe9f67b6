"use strict";
/* WebGL 2: a surface coloured by numbers, and plain lines and triangles. Matrices are 4 x 4 by columns. */

const Matrix = {
  product(a, b) {
    const out = new Float32Array(16);
    for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + r] * b[4 * c + k];
      out[4 * c + r] = sum;
    }
    return out;
  },
  perspective(angle, aspect, near, far) {
    const f = 1 / Math.tan(angle / 2), out = new Float32Array(16);
    [out[0], out[5], out[10], out[11], out[14]] = [f / aspect, f, (far + near) / (near - far), -1, (2 * far * near) / (near - far)];
    return out;
  },
  look(eye, target, up) {
    const z = unit(minus(eye, target)), x = unit(cross(up, z)), y = cross(z, x);
    return Float32Array.of(x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1);
  },
  /* Place and angles of a body: yaw about z, roll about x, pitch about y. */
  pose(place, yaw, roll, pitch) {
    const [cy, sy, cr, sr, cp, sp] = [yaw, roll, pitch].flatMap((a) => [Math.cos(a), Math.sin(a)]);
    return Float32Array.of(
      cy * cp - sy * sr * sp, sy * cp + cy * sr * sp, -cr * sp, 0, -sy * cr, cy * cr, sr, 0,
      cy * sp + sy * sr * cp, sy * sp - cy * sr * cp, cr * cp, 0, place[0], place[1], place[2], 1);
  },
  at(m, p) {
    return [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);
  },
  turned(m, p) {
    return [0, 1, 2].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2]);
  },
};
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const rgbOf = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
const unit = (a) => { const size = Math.hypot(...a) || 1; return a.map((x) => x / size); };

/* Colours at equal distances; lightness rises steadily in the first two, so that they read without hue.
   viridis (van der Walt, Smith, Firing 2015) and cividis (Nunez, Anderton, Renslow 2018) are in the public domain (CC0). */
const MAPS = {
  "viridis": ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"],
  "cividis": ["00224e", "123570", "3b496c", "575d6d", "707173", "8a8678", "a59c74", "c3b369", "e1cc55", "fee838"],
  "blue to red": ["1f4e9c", "7fa3d6", "f2f2f2", "e0957f", "a3271c"],
};

function mapBytes(name) {
  const stops = MAPS[name].map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)));
  const out = new Uint8Array(256 * 4);
  for (let k = 0; k < 256; k++) {
    const place = (k / 255) * (stops.length - 1), low = Math.min(Math.floor(place), stops.length - 2), part = place - low;
    for (let c = 0; c < 3; c++) out[4 * k + c] = Math.round(stops[low][c] * (1 - part) + stops[low + 1][c] * part);
    out[4 * k + 3] = 255;
  }
  return out;
}

const VERTEX = `#version 300 es
layout(location=0) in vec3 place; layout(location=1) in vec4 extra;
uniform mat4 model, camera; out vec3 at; out vec4 given;
void main() { vec4 p = model * vec4(place, 1.0); at = p.xyz; given = extra; gl_Position = camera * p; }`;
const FRAGMENT = `#version 300 es
precision highp float;
in vec3 at; in vec4 given; out vec4 colour;
uniform sampler2D map; uniform vec2 range; uniform vec3 eye; uniform int kind; uniform vec4 plain;
void main() {
  vec3 base = given.rgb; float clear = given.a;
  if (kind == 0) {
    if (given.y > 0.5) base = vec3(0.62);
    else base = mix(texture(map, vec2((given.x - range.x) / max(range.y - range.x, 1e-30) * 0.996 + 0.002, 0.5)).rgb, vec3(0.62), given.y > 0.25 ? 0.6 : 0.0);
    clear = 1.0;
  } else if (kind == 3) { base = plain.rgb; clear = plain.a; }
  if (kind < 2) {
    vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
    base *= 0.55 + 0.45 * abs(dot(normal, normalize(eye - at)));
  }
  colour = vec4(base, clear);
}`;

class Drawing {
  constructor(canvas) {
    const options = { alpha: false };
    const scratch = document.createElement("canvas").getContext("webgl2");
    if (!scratch) throw new Error("this browser has no WebGL 2");
    const told = scratch.getExtension("WEBGL_debug_renderer_info");
    this.renderer = told ? scratch.getParameter(told.UNMASKED_RENDERER_WEBGL) : scratch.getParameter(scratch.RENDERER);
    scratch.getExtension("WEBGL_lose_context")?.loseContext();
    options.antialias = !/swiftshader|llvmpipe|software/i.test(this.renderer);
    const gl = (this.gl = canvas.getContext("webgl2", options));
    const program = (this.program = gl.createProgram());
    for (const [type, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    this.at = Object.fromEntries(["model", "camera", "range", "eye", "kind", "plain"].map((n) => [n, gl.getUniformLocation(program, n)]));
    this.still = Matrix.pose([0, 0, 0], 0, 0, 0);
    this.texture = gl.createTexture();
    this.colours("viridis");
    this.loose = this.mesh(null, null);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  colours(name) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, mapBytes(name));
    for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) {
      gl.texParameteri(gl.TEXTURE_2D, key, value);
    }
  }

  /* Buffers of a mesh: faces and edges are indices, places and extras come with `fill`. */
  mesh(faces, edges, width = 4) {
    const gl = this.gl, array = gl.createVertexArray(), made = { array, faces, edges, width };
    gl.bindVertexArray(array);
    made.place = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made.place);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    made.extra = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made.extra);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, width, gl.FLOAT, false, 0, 0);
    if (faces) {
      const all = new Uint32Array(faces.length + edges.length);
      all.set(faces);
      all.set(edges, faces.length);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, all, gl.STATIC_DRAW);
    }
    gl.bindVertexArray(null);
    return made;
  }

  fill(mesh, place, extra) {
    const gl = this.gl;
    for (const [buffer, values] of [[mesh.place, place], [mesh.extra, extra]]) {
      if (!values) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    }
  }

  begin(x, y, width, height, colour, camera, eye) {
    const gl = this.gl;
    gl.viewport(x, y, width, height);
    gl.scissor(x, y, width, height);
    gl.enable(gl.SCISSOR_TEST);
    gl.clearColor(...colour, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.at.camera, false, camera);
    gl.uniform3fv(this.at.eye, eye);
  }

  /* range: of the values coloured, on a closed surface whose faces turn anticlockwise seen from outside; null: corners
     have their own colours, and faces are drawn from both sides. */
  surface(mesh, model, range, edges) {
    const gl = this.gl;
    gl.bindVertexArray(mesh.array);
    gl.uniformMatrix4fv(this.at.model, false, model);
    if (range) gl.uniform2fv(this.at.range, range);
    gl.uniform1i(this.at.kind, range ? 0 : 1);
    if (range) gl.enable(gl.CULL_FACE); // half of what a slow computer fills
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 8);
    gl.drawElements(gl.TRIANGLES, mesh.faces.length, gl.UNSIGNED_INT, 0);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.disable(gl.CULL_FACE);
    if (edges) {
      gl.uniform1i(this.at.kind, 3);
      gl.uniform4f(this.at.plain, 0, 0, 0, 0.35);
      gl.drawElements(gl.LINES, mesh.edges.length, gl.UNSIGNED_INT, 4 * mesh.faces.length);
    }
  }

  /* A body of one colour, lit: its places do not change; clear: it is drawn last, and hides nothing. */
  solid(places, faces) {
    const gl = this.gl, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    for (const [kind, values] of [[gl.ARRAY_BUFFER, places], [gl.ELEMENT_ARRAY_BUFFER, faces]]) {
      gl.bindBuffer(kind, gl.createBuffer());
      gl.bufferData(kind, values, gl.STATIC_DRAW);
    }
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    return { array, count: faces.length };
  }
  body(mesh, model, colour) {
    const gl = this.gl;
    gl.bindVertexArray(mesh.array);
    gl.vertexAttrib4f(1, ...colour);
    gl.uniformMatrix4fv(this.at.model, false, model);
    gl.uniform1i(this.at.kind, 1);
    gl.depthMask(colour[3] === 1);
    gl.drawElements(gl.TRIANGLES, mesh.count, gl.UNSIGNED_INT, 0);
    gl.depthMask(true);
  }

  /* Loose triangles or lines (scene axes): flat list of x y z, and r g b a of each corner. */
  plain(list, lines, above = false, lit = !lines) {
    if (list.count === 0) return;
    const gl = this.gl;
    gl.bindVertexArray(this.loose.array);
    this.fill(this.loose, list.place, list.colour);
    gl.uniformMatrix4fv(this.at.model, false, this.still);
    gl.uniform1i(this.at.kind, lit ? 1 : 2);
    if (above) gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(lines ? gl.LINES : gl.TRIANGLES, 0, list.count);
    gl.enable(gl.DEPTH_TEST);
  }
}

/* A list of corners and their colours, which grows. */
class Shapes {
  constructor() { this.count = 0; this.places = new Float32Array(3 * 4096); this.colours = new Float32Array(4 * 4096); }
  get place() { return this.places.subarray(0, 3 * this.count); }
  get colour() { return this.colours.subarray(0, 4 * this.count); }
  add(colour, ...points) {
    for (const p of points) {
      if (3 * this.count === this.places.length) {
        for (const name of ["places", "colours"]) { const more = new Float32Array(2 * this[name].length); more.set(this[name]); this[name] = more; }
      }
      const [at, to] = [3 * this.count, 4 * this.count++];
      this.places[at] = p[0]; this.places[at + 1] = p[1]; this.places[at + 2] = p[2];
      this.colours[to] = colour[0]; this.colours[to + 1] = colour[1]; this.colours[to + 2] = colour[2]; this.colours[to + 3] = colour[3];
    }
  }
  quad(colour, a, b, c, d) { this.add(colour, a, b, c, a, c, d); }
  box(colour, low, high, map = (p) => p) {
    const p = (k) => map([k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]);
    for (const [a, b, c, d] of [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]) this.quad(colour, p(a), p(b), p(c), p(d));
  }
  frame(colour, low, high, map = (p) => p) {
    const p = (k) => map([k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]);
    for (let a = 0; a < 8; a++) for (const bit of [1, 2, 4]) if (!(a & bit)) this.add(colour, p(a), p(a | bit));
  }
}
