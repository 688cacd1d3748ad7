// A phone works through these loops before its engine has compiled them: pairs in brackets would cost it an array for each pixel.

/** A picture in shades of gray, row by row: 0 is black, 255 white. */
export type Gray = { readonly width: number; readonly height: number; readonly data: Uint8Array };

/** Of pixels as a canvas has them: red, green, blue and opacity. */
export function toGray(width: number, height: number, rgba: Uint8ClampedArray | Uint8Array): Gray {
  const data = new Uint8Array(width * height);
  for (let index = 0, at = 0; index < data.length; index += 1, at += 4) {
    const red = rgba[at] ?? 0;
    const green = rgba[at + 1] ?? 0;
    const blue = rgba[at + 2] ?? 0;
    data[index] = (red * 77 + green * 150 + blue * 29) >> 8;
  }
  return { width, height, data };
}

/**
 * The same with the paper white and the print dark, whatever the light: each pixel against the mean around it. `reach`
 * is half the width of what counts as around, in pixels; wider than a letter.
 */
export function levelled({ width, height, data }: Gray, reach: number): Gray {
  const row = width + 1;
  const sums = new Uint32Array(row * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let sum = 0;
    for (let x = 0; x < width; x += 1) {
      sum += data[y * width + x] ?? 0;
      sums[(y + 1) * row + x + 1] = (sums[y * row + x + 1] ?? 0) + sum;
    }
  }
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - reach);
    const bottom = Math.min(height, y + reach + 1);
    for (let x = 0; x < width; x += 1) {
      const left = Math.max(0, x - reach);
      const right = Math.min(width, x + reach + 1);
      const sum =
        (sums[bottom * row + right] ?? 0) -
        (sums[bottom * row + left] ?? 0) -
        (sums[top * row + right] ?? 0) +
        (sums[top * row + left] ?? 0);
      const mean = sum / ((right - left) * (bottom - top));
      const level = ((data[y * width + x] ?? 0) / Math.max(mean, 1)) * 160;
      out[y * width + x] = Math.min(255, level);
    }
  }
  return { width, height, data: out };
}

/** Half as wide and as high: each pixel is the mean of four. */
export function halved({ width: whole, height: full, data }: Gray): Gray {
  const [width, height] = [whole >> 1, full >> 1];
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = 2 * y * whole + 2 * x;
      const upper = (data[at] ?? 0) + (data[at + 1] ?? 0);
      const lower = (data[at + whole] ?? 0) + (data[at + whole + 1] ?? 0);
      out[y * width + x] = (upper + lower + 2) >> 2;
    }
  }
  return { width, height, data: out };
}

/** Between the four pixels around a place, each counting the more the nearer it is; beyond the edge, what is at the edge. */
export function sampleGray({ width, height, data }: Gray, x: number, y: number): number {
  const inX = x < 0 ? 0 : x > width - 1.001 ? width - 1.001 : x;
  const inY = y < 0 ? 0 : y > height - 1.001 ? height - 1.001 : y;
  const left = Math.floor(inX);
  const top = Math.floor(inY);
  const right = inX - left;
  const down = inY - top;
  const at = top * width + left;
  const upper = (data[at] ?? 0) * (1 - right) + (data[at + 1] ?? 0) * right;
  const lower = (data[at + width] ?? 0) * (1 - right) + (data[at + width + 1] ?? 0) * right;
  return upper * (1 - down) + lower * down;
}

/** Twice as wide and as high. */
export function doubled(picture: Gray): Gray {
  const [width, height] = [picture.width * 2, picture.height * 2];
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      out[y * width + x] = sampleGray(picture, (x - 0.5) / 2, (y - 0.5) / 2);
    }
  }
  return { width, height, data: out };
}

/** Turned clockwise by so many right angles. */
export function quarterTurned({ width, height, data }: Gray, quarters: number): Gray {
  if (quarters % 4 === 0) return { width, height, data };
  if (quarters % 2 === 0) return { width, height, data: data.slice().reverse() };
  const out = new Uint8Array(data.length);
  // Each pixel's place: from the top right downwards, or from the bottom left upwards.
  const isOnce = quarters % 4 === 1;
  for (let y = 0; y < height; y += 1) {
    let at = isOnce ? height - 1 - y : (width - 1) * height + y;
    for (let x = 0; x < width; x += 1) {
      out[at] = data[y * width + x] ?? 0;
      at += isOnce ? height : -height;
    }
  }
  return { width: height, height: width, data: out };
}
