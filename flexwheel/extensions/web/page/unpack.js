"use strict";
/* Arrays of the page: what packing.py wrote. */

class Rows {
  /* (n, T) numbers as integers of 16 bits; `at` gives one. */
  constructor(entry, bytes) {
    [this.count, this.length] = entry.shape;
    this.scale = Float64Array.from(entry.scale);
    this.middle = Float64Array.from(entry.middle);
    this.data = new Int16Array(this.count * this.length);
    for (let row = 0; row < this.count; row++) {
      const low = entry.at + 2 * row * this.length, high = low + this.length, to = row * this.length;
      for (let k = 0, sum = 0; k < this.length; k++) {
        sum = (sum + bytes[low + k] + 256 * bytes[high + k]) & 0xffff;
        this.data[to + k] = sum;
      }
    }
  }

  at(row, k) {
    const whole = this.data[row * this.length + k];
    return whole === -32768 ? NaN : this.middle[row] + this.scale[row] * whole;
  }

  column(k, into) {
    for (let row = 0; row < this.count; row++) into[row] = this.at(row, k);
    return into;
  }

  means() {
    return Float64Array.from({ length: this.count }, (_, row) => {
      let sum = 0;
      for (let k = 0; k < this.length; k++) sum += this.data[row * this.length + k];
      return this.middle[row] + this.scale[row] * sum / Math.max(this.length, 1);
    });
  }
}

async function unpackedBytes(text) {
  const plain = atob(text.trim()), bytes = new Uint8Array(plain.length);
  for (let k = 0; k < plain.length; k++) bytes[k] = plain.charCodeAt(k);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpackedArrays(entries, text) {
  const bytes = await unpackedBytes(text), types = { f4: Float32Array, u2: Uint16Array, u4: Uint32Array };
  const made = {};
  for (const [name, entry] of Object.entries(entries)) {
    if (entry.type === "rows") made[name] = new Rows(entry, bytes);
    else {
      const type = types[entry.type];
      made[name] = new type(bytes.buffer, entry.at, entry.bytes / type.BYTES_PER_ELEMENT);
    }
  }
  return made;
}
