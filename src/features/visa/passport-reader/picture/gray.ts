/** A picture in shades of gray, row by row: 0 is black, 255 white. */
export type Gray = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** Darker than this, in a levelled picture, is print. */
export const PRINT = 165;

/** Of pixels as a canvas has them: red, green, blue and opacity. */
export function grayOf(width: number, height: number, rgba: Uint8ClampedArray | Uint8Array): Gray {
  const data = new Uint8Array(width * height);
  for (let index = 0; index < data.length; index += 1) {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(index * 4, index * 4 + 3);
    data[index] = (red * 77 + green * 150 + blue * 29) >> 8;
  }
  return { width, height, data };
}

/**
 * The same with the paper white and the print dark, whatever the light: each pixel against the mean around it. `reach`
 * is half the width of what counts as around, in pixels; wider than a letter.
 */
export function levelled({ width, height, data }: Gray, reach: number): Gray {
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += data[y * width + x] ?? 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  const at = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0;
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = [Math.max(0, y - reach), Math.min(height, y + reach + 1)];
    for (let x = 0; x < width; x += 1) {
      const [left, right] = [Math.max(0, x - reach), Math.min(width, x + reach + 1)];
      const sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
      const mean = sum / ((right - left) * (bottom - top));
      const level = ((data[y * width + x] ?? 0) / Math.max(mean, 1)) * 235;
      out[y * width + x] = Math.min(255, level);
    }
  }
  return { width, height, data: out };
}

/** Without its grain: each pixel is the mean of itself and the eight around it. */
export function smoothed({ width, height, data }: Gray): Gray {
  const rows = new Uint16Array(data.length);
  const out = new Uint8Array(data);
  for (let index = 1; index < data.length - 1; index += 1) {
    rows[index] = (data[index - 1] ?? 0) + (data[index] ?? 0) + (data[index + 1] ?? 0);
  }
  for (let index = width; index < data.length - width; index += 1) {
    out[index] = ((rows[index - width] ?? 0) + (rows[index] ?? 0) + (rows[index + width] ?? 0)) / 9;
  }
  return { width, height, data: out };
}

/** Turned by an angle in radians around its middle, clockwise; what comes in at the corners is white. */
export function turned(picture: Gray, angle: number): Gray {
  const { width, height } = picture;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const [midX, midY] = [width / 2, height / 2];
  const out = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const fromX = midX + (x - midX) * cos + (y - midY) * sin;
      const fromY = midY - (x - midX) * sin + (y - midY) * cos;
      if (fromX < 0 || fromY < 0 || fromX >= width - 1 || fromY >= height - 1) continue;
      out[y * width + x] = valueAt(picture, fromX, fromY);
    }
  }
  return { width, height, data: out };
}

/** Between the four pixels around a place in the picture, each counting the more the nearer it is. */
function valueAt({ width, height, data }: Gray, x: number, y: number): number {
  const left = Math.min(width - 2, Math.floor(x));
  const top = Math.min(height - 2, Math.floor(y));
  const [right, down] = [x - left, y - top];
  const index = top * width + left;
  const upper = (data[index] ?? 0) * (1 - right) + (data[index + 1] ?? 0) * right;
  const lower = (data[index + width] ?? 0) * (1 - right) + (data[index + width + 1] ?? 0) * right;
  return upper * (1 - down) + lower * down;
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** A part of a picture at another size: each new pixel is the mean of what it covers, or between its neighbours. */
export function crop(
  picture: Gray,
  part: { left: number; top: number; right: number; bottom: number },
  size: { width: number; height: number },
): Gray {
  const out = new Uint8Array(size.width * size.height).fill(255);
  const stepX = (part.right - part.left) / size.width;
  const stepY = (part.bottom - part.top) / size.height;
  const taps = Math.max(1, Math.round(Math.max(stepX, stepY) * 2));
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      let sum = 0;
      for (let tapY = 0; tapY < taps; tapY += 1) {
        for (let tapX = 0; tapX < taps; tapX += 1) {
          const fromX = part.left + (x + (tapX + 0.5) / taps) * stepX - 0.5;
          const fromY = part.top + (y + (tapY + 0.5) / taps) * stepY - 0.5;
          sum += valueAt(
            picture,
            clamp(fromX, picture.width - 1),
            clamp(fromY, picture.height - 1),
          );
        }
      }
      out[y * size.width + x] = sum / (taps * taps);
    }
  }
  return { ...size, data: out };
}

/** Turned clockwise by so many right angles. */
export function quarterTurned(picture: Gray, quarters: number): Gray {
  if (quarters === 0) return picture;
  const { width, height, data } = picture;
  const once = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) once[x * height + height - 1 - y] = data[y * width + x] ?? 0;
  }
  return quarterTurned({ width: height, height: width, data: once }, quarters - 1);
}

/**
 * As seen from straight ahead, where it was seen from one side. `lean` is by how much the right edge of the photo is
 * nearer than the left one, as a share of the distance; less than 0 where it is further away.
 */
export function facing(picture: Gray, lean: number): Gray {
  if (lean === 0) return picture;
  const { width, height } = picture;
  const out = new Uint8Array(width * height).fill(255);
  for (let x = 0; x < width; x += 1) {
    const depth = 1 - lean * (x / width - 0.5);
    const fromX = ((x / width - 0.5) / depth + 0.5) * width;
    if (fromX < 0 || fromX >= width - 1) continue;
    for (let y = 0; y < height; y += 1) {
      const fromY = (y - height / 2) / depth + height / 2;
      if (fromY < 0 || fromY >= height - 1) continue;
      out[y * width + x] = valueAt(picture, fromX, fromY);
    }
  }
  return { width, height, data: out };
}
