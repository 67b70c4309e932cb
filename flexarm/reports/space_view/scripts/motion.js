// The motion: positions of everything that is drawn, at any time and any magnification of the deflections.
"use strict";

const KINDS = { f4: Float32Array, f8: Float64Array, u1: Uint8Array, u4: Uint32Array };

/** Array from {kind: base64 of its little-endian numbers}. */
function unpacked(packed) {
  const [[kind, text]] = Object.entries(packed);
  return new KINDS[kind](Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}

const OPERATIONS = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  neg: (a) => -a,
  sq: (a) => a * a,
  twice: (a) => a + a,
  inv: (a) => 1 / a,
  sqrt: Math.sqrt,
  sin: Math.sin,
  cos: Math.cos,
};

/** Straight-line program of numbered values; every step reads a constant, a number of its input or earlier values. */
class Program {
  constructor(data) {
    this.names = data.names;
    this.operations = data.names.map((name) => OPERATIONS[name]);
    this.constants = unpacked(data.constants);
    this.steps = unpacked(data.steps);
    this.first = unpacked(data.first);
    this.second = unpacked(data.second);
    this.outputs = unpacked(data.outputs);
    this.values = new Float64Array(this.steps.length);
    this.input = this.names.indexOf("input");
    this.constant = this.names.indexOf("constant");
  }

  evaluate(theta) {
    const { steps, first, second, values } = this;
    for (let k = 0; k < steps.length; k++) {
      const step = steps[k];
      if (step === this.input) values[k] = theta[first[k]];
      else if (step === this.constant) values[k] = this.constants[first[k]];
      else values[k] = this.operations[step](values[first[k]], values[second[k]]);
    }
    return Float64Array.from(this.outputs, (value) => values[value]);
  }
}

/** Index of the last of ascending times that is not after t; 0 if all are. */
function rowBefore(times, t) {
  let low = 0, high = times.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return low;
}

/** Rows of numbers at ascending times, and straight lines between them. */
class Course {
  constructor(times, rows) {
    this.times = times;
    this.rows = rows;
    this.width = rows.length / times.length;
  }

  at(t) {
    const { times, rows, width } = this;
    const k = rowBefore(times, t), next = Math.min(k + 1, times.length - 1);
    const span = times[next] - times[k];
    const part = span > 0 ? Math.min(Math.max((t - times[k]) / span, 0), 1) : 0;
    return Float64Array.from({ length: width }, (_, j) => {
      const here = rows[k * width + j];
      return here + part * (rows[next * width + j] - here);
    });
  }
}

/** What a result holds of the motion. */
class Motion {
  constructor(data) {
    this.data = data;
    this.coordinates = new Course(unpacked(data.times), unpacked(data.theta));
    this.program = new Program(data.program);
    this.times = this.coordinates.times;
    this.first = this.times[0];
    this.last = this.times[this.times.length - 1];
    const links = data.starts.length - 1;
    // where what stands among the outputs of the program
    this.frameCount = links + (data.base === "fixed" ? 0 : 1);
    this.frames = 3 * data.starts[links];
    this.payload = this.frames + 9 * this.frameCount;
    this.contacts = this.payload + 3;
  }

  /** Outputs of the program at a time; the modal amplitudes are multiplied by the magnification. */
  positions(t, magnification) {
    const theta = this.coordinates.at(t);
    for (const row of this.data.modes) theta[row] *= magnification;
    return this.program.evaluate(theta);
  }
}
