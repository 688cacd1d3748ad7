/** The signs in the order of the network's answer; behind them stands “no sign here”. */
export const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<';
export const BLANK = ALPHABET.length;
export const CLASSES = ALPHABET.length + 1;

/** In pixels: the height of a strip, how far apart its characters are, and what one step of the answer covers of it. */
export const STRIP_HEIGHT = 32;
export const PITCH = 14;
export const STEP = 4;

/** A line cut out: `STRIP_HEIGHT` rows of a width that `STRIP_UNIT` divides, in shades from 0 (black) to 1 (white). */
export type Strip = { readonly width: number; readonly data: Float64Array };
export const STRIP_UNIT = 16;

/** For each step, one behind the other, how probable each class is. */
export type Steps = { readonly count: number; readonly data: Float64Array };

/** Reads a strip of one line. For 44 characters it multiplies 70 million times. */
export type Network = (strip: Strip) => Steps;

/** `weights`: of one output after another, each with its inputs, rows and columns. */
type Layer = { readonly weights: Float64Array; readonly bias: Float64Array };

/**
 * Channels of `width` by `height`, in rows of `row` numbers: a margin of zeros is above, below and on both sides. Double
 * precision, because engines would convert single precision in every multiplication.
 */
type Maps = {
  readonly channels: number;
  readonly width: number;
  readonly height: number;
  readonly row: number;
  readonly data: Float64Array;
};

/** Inputs and outputs of the layers, and how many weights an output has for each input. */
const SQUARES = [
  { from: 1, to: 16, poolsColumns: true },
  { from: 16, to: 32, poolsColumns: true },
  { from: 32, to: 48, poolsColumns: false },
  { from: 48, to: 72, poolsColumns: false },
] as const;
const DOWN = { from: 72, to: 112 } as const;
const ALONG = 5;
const BLOCKS = 2;

/**
 * The network whose weights these bytes are: convolutions of 3 by 3 until two rows are left, one over both, then twice the
 * neighbours of each channel and all channels of a step. `scripts/passport-reader` trained it.
 * @throws Error for bytes of anything else.
 */
export function openNetwork(bytes: ArrayBuffer): Network {
  const next = readerOf(bytes);
  const squares = SQUARES.map((shape) => ({ ...shape, ...next(shape.to, shape.from * 9) }));
  const bottom = next(DOWN.to, DOWN.from * 2);
  const blocks = Array.from({ length: BLOCKS }, () => ({
    along: next(DOWN.to, ALONG),
    across: next(DOWN.to, DOWN.to),
  }));
  const output = next(CLASSES, DOWN.to);
  return (strip) => {
    let maps = normalised(strip);
    for (const layer of squares) maps = pooled(square(maps, layer, layer.to), layer.poolsColumns);
    let steps = across(bothRows(maps), bottom, DOWN.to, maps.width);
    rectify(steps);
    for (const block of blocks) {
      const near = along(steps, block.along, maps.width);
      rectify(near);
      const all = across(near, block.across, DOWN.to, maps.width);
      rectify(all);
      steps = steps.map((value, index) => value + (all[index] ?? 0));
    }
    return probabilities(across(steps, output, CLASSES, maps.width), maps.width);
  };
}

/** Each layer: its weights from -127 to 127, then for each output what they are multiplied with, then what is added. */
function readerOf(bytes: ArrayBuffer): (outputs: number, each: number) => Layer {
  const view = new DataView(bytes);
  let at = 0;
  return (outputs, each) => {
    const floats = (from: number) =>
      Float64Array.from({ length: outputs }, (_, index) => view.getFloat32(from + index * 4, true));
    const start = at;
    const scales = Math.ceil((at + outputs * each) / 4) * 4;
    at = scales + outputs * 8;
    const scale = floats(scales);
    const weights = Float64Array.from(
      { length: outputs * each },
      (_, index) => view.getInt8(start + index) * (scale[Math.floor(index / each)] ?? 0),
    );
    return { weights, bias: floats(scales + outputs * 4) };
  };
}

function emptyMaps(channels: number, width: number, height: number): Maps {
  const row = width + 6;
  return { channels, width, height, row, data: new Float64Array(channels * (height + 2) * row) };
}

const startOf = ({ height, row }: Maps, channel: number): number =>
  (channel * (height + 2) + 1) * row + 1;

function normalised({ width, data }: Strip): Maps {
  let [sum, squares] = [0, 0];
  for (const value of data) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / data.length;
  const spread = Math.sqrt(Math.max(0, squares / data.length - mean * mean)) + 0.02;
  const maps = emptyMaps(1, width, STRIP_HEIGHT);
  for (let y = 0; y < STRIP_HEIGHT; y += 1) {
    const start = startOf(maps, 0) + y * maps.row;
    for (let x = 0; x < width; x += 1) {
      maps.data[start + x] = ((data[y * width + x] ?? 0) - mean) / spread;
    }
  }
  return maps;
}

/** A convolution of 3 by 3: of four neighbours and two outputs at once, whose sums stay in registers. */
function square(from: Maps, { weights, bias }: Layer, outputs: number): Maps {
  const to = emptyMaps(outputs, from.width, from.height);
  const { channels, width, height, row, data } = from;
  const plane = (height + 2) * row;
  const each = channels * 9;
  for (let output = 0; output < outputs; output += 2) {
    const biasA = bias[output] ?? 0;
    const biasB = bias[output + 1] ?? 0;
    for (let y = 0; y < height; y += 1) {
      const out = startOf(to, output) + y * row;
      const below = out + plane;
      for (let x = 0; x < width; x += 4) {
        let a0 = biasA;
        let a1 = biasA;
        let a2 = biasA;
        let a3 = biasA;
        let b0 = biasB;
        let b1 = biasB;
        let b2 = biasB;
        let b3 = biasB;
        let a = output * each;
        let b = a + each;
        let corner = y * row + x;
        for (let channel = 0; channel < channels; channel += 1) {
          let at = corner;
          for (let down = 0; down < 3; down += 1) {
            const i0 = data[at] ?? 0;
            const i1 = data[at + 1] ?? 0;
            const i2 = data[at + 2] ?? 0;
            const i3 = data[at + 3] ?? 0;
            const i4 = data[at + 4] ?? 0;
            const i5 = data[at + 5] ?? 0;
            let u = weights[a] ?? 0;
            let v = weights[a + 1] ?? 0;
            let w = weights[a + 2] ?? 0;
            a0 += u * i0 + v * i1 + w * i2;
            a1 += u * i1 + v * i2 + w * i3;
            a2 += u * i2 + v * i3 + w * i4;
            a3 += u * i3 + v * i4 + w * i5;
            u = weights[b] ?? 0;
            v = weights[b + 1] ?? 0;
            w = weights[b + 2] ?? 0;
            b0 += u * i0 + v * i1 + w * i2;
            b1 += u * i1 + v * i2 + w * i3;
            b2 += u * i2 + v * i3 + w * i4;
            b3 += u * i3 + v * i4 + w * i5;
            at += row;
            a += 3;
            b += 3;
          }
          corner += plane;
        }
        to.data[out + x] = a0;
        to.data[out + x + 1] = a1;
        to.data[out + x + 2] = a2;
        to.data[out + x + 3] = a3;
        to.data[below + x] = b0;
        to.data[below + x + 1] = b1;
        to.data[below + x + 2] = b2;
        to.data[below + x + 3] = b3;
      }
    }
  }
  return to;
}

/** The largest of two rows, or of two rows and two columns; nothing below 0. */
function pooled(from: Maps, poolsColumns: boolean): Maps {
  const across = poolsColumns ? 2 : 1;
  const to = emptyMaps(from.channels, from.width / across, from.height / 2);
  for (let channel = 0; channel < to.channels; channel += 1) {
    for (let y = 0; y < to.height; y += 1) {
      const start = startOf(from, channel) + 2 * y * from.row;
      const out = startOf(to, channel) + y * to.row;
      for (let x = 0; x < to.width; x += 1) {
        let most = 0;
        for (let at = start + x * across; at < start + (x + 1) * across; at += 1) {
          const upper = from.data[at] ?? 0;
          const lower = from.data[at + from.row] ?? 0;
          if (upper > most) most = upper;
          if (lower > most) most = lower;
        }
        to.data[out + x] = most;
      }
    }
  }
  return to;
}

/** Each channel's upper row, then its lower one, without margins. */
function bothRows(maps: Maps): Float64Array {
  const out = new Float64Array(maps.channels * 2 * maps.width);
  for (let line = 0; line < maps.channels * 2; line += 1) {
    const start = startOf(maps, line >> 1) + (line & 1) * maps.row;
    out.set(maps.data.subarray(start, start + maps.width), line * maps.width);
  }
  return out;
}

/** For each step, every output of all inputs there. `from` and the answer: one input or output after another. */
function across(
  from: Float64Array,
  { weights, bias }: Layer,
  outputs: number,
  width: number,
): Float64Array {
  const inputs = from.length / width;
  const to = new Float64Array(outputs * width);
  for (let output = 0; output < outputs; output += 2) {
    const biasA = bias[output] ?? 0;
    const biasB = bias[output + 1] ?? 0;
    for (let x = 0; x < width; x += 4) {
      let a0 = biasA;
      let a1 = biasA;
      let a2 = biasA;
      let a3 = biasA;
      let b0 = biasB;
      let b1 = biasB;
      let b2 = biasB;
      let b3 = biasB;
      const a = output * inputs;
      let at = x;
      for (let input = 0; input < inputs; input += 1) {
        const i0 = from[at] ?? 0;
        const i1 = from[at + 1] ?? 0;
        const i2 = from[at + 2] ?? 0;
        const i3 = from[at + 3] ?? 0;
        const u = weights[a + input] ?? 0;
        const v = weights[a + inputs + input] ?? 0;
        a0 += u * i0;
        a1 += u * i1;
        a2 += u * i2;
        a3 += u * i3;
        b0 += v * i0;
        b1 += v * i1;
        b2 += v * i2;
        b3 += v * i3;
        at += width;
      }
      const out = output * width + x;
      to[out] = a0;
      to[out + 1] = a1;
      to[out + 2] = a2;
      to[out + 3] = a3;
      to[out + width] = b0;
      to[out + width + 1] = b1;
      to[out + width + 2] = b2;
      to[out + width + 3] = b3;
    }
  }
  return to;
}

/** Each channel with its own neighbours, two steps to either side. */
function along(from: Float64Array, { weights, bias }: Layer, width: number): Float64Array {
  const half = (ALONG - 1) / 2;
  return from.map((_, index) => {
    const channel = Math.floor(index / width);
    const x = index - channel * width;
    let sum = bias[channel] ?? 0;
    for (let tap = Math.max(0, half - x); tap < ALONG && x + tap - half < width; tap += 1) {
      sum += (weights[channel * ALONG + tap] ?? 0) * (from[index + tap - half] ?? 0);
    }
    return sum;
  });
}

function rectify(values: Float64Array): void {
  for (let index = 0; index < values.length; index += 1) {
    if ((values[index] ?? 0) < 0) values[index] = 0;
  }
}

function probabilities(scores: Float64Array, count: number): Steps {
  const data = new Float64Array(count * CLASSES);
  for (let step = 0; step < count; step += 1) {
    let most = -Infinity;
    for (let one = 0; one < CLASSES; one += 1) {
      most = Math.max(most, scores[one * count + step] ?? 0);
    }
    let sum = 0;
    for (let one = 0; one < CLASSES; one += 1) {
      const value = Math.exp((scores[one * count + step] ?? 0) - most);
      data[step * CLASSES + one] = value;
      sum += value;
    }
    for (let one = 0; one < CLASSES; one += 1) {
      data[step * CLASSES + one] = (data[step * CLASSES + one] ?? 0) / sum;
    }
  }
  return { count, data };
}
