import sharp from 'sharp';
import { makeRandom } from '../../../../../test/crash/random.ts';
import { openFont, type FontName } from './ocr-b/font.ts';

/** How a sample is photographed. What may be left out is 0 by default, or as said. */
export type Conditions = {
  /** Of the picture, in pixels. */
  width: number;
  /** In degrees, clockwise. */
  tilt: number;
  /** Of each pixel, of 255. */
  noise: number;
  /** Out of focus, in pixels. */
  blur: number;
  /** 0 to 1: how white a lamp's reflection on the zone is. */
  glare: number;
  /** Of the file, to 100. */
  quality: number;
  /** Seen from one side, or from above or below: how much nearer one edge is than the middle, of 1. */
  leanAcross?: number;
  leanDown?: number;
  /** Turned clockwise by so many right angles. */
  quarters?: number;
  /** The share of the picture's width that the document takes; 0.86 by default. */
  share?: number;
  /** A page that is not held flat: by how much its middle is higher than its edges, of the document's height. */
  bow?: number;
  /** How much darker the photo is on one side, of 1. */
  shade?: number;
  /** Moved while it was taken, in pixels from left to right. */
  motion?: number;
  /** How white the stripes of a hologram over the zone are, of 1. */
  foil?: number;
  /** Taken from a screen, whose dots are seen: how much, of 1. */
  screen?: number;
  /** The file: JPEG by default. */
  file?: 'jpeg' | 'webp';
};

/** How a sample is printed. What may be left out is 0 by default, or as said. */
export type Print = {
  font: FontName;
  /** What is added to both sides of a stroke, in thousandths of the font's size; less than 0 makes it thinner. */
  weight: number;
  /** The shade of the print; '#1c1c1c' by default. */
  ink?: string;
  paper?: string;
  /** How dark a pattern of fine lines behind the print is, of 1. */
  pattern?: number;
  /** Printed in dots, as a laser burns them, or sprayed, with soft edges: how much, of 1. */
  grain?: number;
  /** How much of the ink is worn off, of 1. */
  worn?: number;
  /** Printed by needles: how far apart its dots are, of the distance of the characters. */
  dots?: number;
};

const REGULAR: Print = { font: 'OCRB', weight: 0 };

/** A photo of a document that shows these machine-readable lines, as a file. */
export async function drawPassport(
  lines: readonly string[],
  conditions: Conditions,
  seed: number,
  print: Print = REGULAR,
): Promise<Buffer> {
  const random = makeRandom(seed);
  const drawn = await sharp(Buffer.from(documentOf(lines, print, conditions, random)))
    .flatten()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { info } = drawn;
  const data = seenBy(drawn.data, info.width, info.height, conditions);
  const { screen = 0 } = conditions;
  for (const index of data.keys()) {
    const grain = (random() + random() + random() - 1.5) * conditions.noise;
    const shade = (data[index] ?? 0) * (screen > 0 ? 1 - screen * dotAt(index, info.width) : 1);
    data[index] = Math.max(0, Math.min(255, shade + grain));
  }
  const picture = sharp(data, { raw: info }).rotate(90 * (conditions.quarters ?? 0));
  const seen = conditions.blur > 0.3 ? picture.blur(conditions.blur) : picture;
  const { quality, file = 'jpeg' } = conditions;
  return file === 'webp' ? seen.webp({ quality }).toBuffer() : seen.jpeg({ quality }).toBuffer();
}

/** How dark it is between the dots of a screen, a little turned, at one colour of a pixel: each has its own dots, a third further. */
function dotAt(index: number, width: number): number {
  const pixel = Math.floor(index / 3);
  const [x, y] = [(pixel % width) + (index % 3) * 0.8, Math.floor(pixel / width)];
  return 0.5 - 0.25 * (Math.cos(x * 1.9 + y * 0.11) + Math.cos(y * 1.9 - x * 0.11));
}

/** The same colours, three bytes a pixel, as a camera sees them that stands aside, moves, or has the lamp on one side. */
function seenBy(data: Buffer, width: number, height: number, conditions: Conditions): Buffer {
  const { leanAcross = 0, leanDown = 0, bow = 0, shade = 0, motion = 0 } = conditions;
  if ([leanAcross, leanDown, bow, shade, motion].every((one) => one === 0)) return data;
  const out = Buffer.alloc(data.length, 90);
  const steps = Math.max(1, Math.round(motion));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [x / width - 0.5, y / height - 0.5];
      const depth = 1 + leanAcross * across + leanDown * down;
      const fromX = (across / depth + 0.5) * width;
      const fromY = (down / depth + 0.5 + bow * (0.25 - across * across)) * height;
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < steps || top < 0 || left >= width - 1 - steps || top >= height - 1) continue;
      const [right, below] = [fromX - left, fromY - top];
      for (let colour = 0; colour < 3; colour += 1) {
        let sum = 0;
        for (let step = 0; step < steps; step += 1) {
          const at = (top * width + left + step - (steps >> 1)) * 3 + colour;
          const [a = 0, b = 0] = [data[at], data[at + 3]];
          const [c = 0, d = 0] = [data[at + width * 3], data[at + width * 3 + 3]];
          sum +=
            (a * (1 - right) + b * right) * (1 - below) + (c * (1 - right) + d * right) * below;
        }
        out[(y * width + x) * 3 + colour] = (sum / steps) * (1 - shade * (across + 0.5));
      }
    }
  }
  return out;
}

function documentOf(
  lines: readonly string[],
  {
    font: name,
    weight,
    ink = '#1c1c1c',
    paper = '#efe6d8',
    pattern = 0,
    grain = 0,
    worn = 0,
    dots = 0,
  }: Print,
  { width: whole, tilt, glare, share = 0.86, foil = 0 }: Conditions,
  random: () => number,
): string {
  const font = openFont(name);
  const width = whole * share;
  const height = width * 0.7;
  const edge = (whole - width) / 2;
  const margin = width * 0.045;
  const pitch = (width - 2 * margin) / (lines[0]?.length ?? 44);
  const scale = pitch / 723;
  const zone = lines.flatMap((line, row) => {
    const y = height - margin - (lines.length - 1 - row) * pitch * (lines.length === 3 ? 2 : 2.5);
    return line.split('').map((sign, place) => {
      const outline = font.glyphForCodePoint(sign.codePointAt(0) ?? 0).path.toSVG();
      return `<path transform="translate(${margin + place * pitch} ${y}) scale(${scale} ${-scale})" d="${outline}"/>`;
    });
  });
  const waves = Array.from({ length: 36 }, (_, row) => {
    const y = (height * row) / 36;
    const swing = 24 * Math.sin(row);
    return `<path d="M0 ${y} Q ${width / 4} ${y + swing} ${width / 2} ${y} T ${width} ${y}" fill="none" stroke="#d8c8b8" stroke-width="1.4"/>`;
  });
  const threads = Array.from({ length: pattern > 0 ? 90 : 0 }, (_, row) => {
    const y = height * (0.7 + (0.36 * row) / 90);
    const swing = pitch * (3 + 2 * Math.sin(row * 0.7));
    return `<path d="M0 ${y} Q ${width / 8} ${y + swing} ${width / 4} ${y} T ${width / 2} ${y} T ${(width * 3) / 4} ${y} T ${width} ${y}" fill="none" stroke="#604870" stroke-opacity="${pattern}" stroke-width="${pitch * 0.05}"/>`;
  });
  const words = ['REPUBLIC', 'Surname', 'Given names', 'Nationality', 'Date of birth', 'Authority'];
  const visual = words.map(
    (word, row) =>
      `<text x="${width * 0.38}" y="${height * (0.12 + row * 0.08)}" font-family="sans-serif" font-size="${width * 0.02}" fill="#333">${word}</text>`,
  );
  // The table around a document that takes less of the picture: other print lies on it.
  const letters = Array.from({ length: share < 0.7 ? 24 : 0 }, (_, row) => {
    const y = (edge * 0.9 * (row % 12)) / 12 + (row < 12 ? edge * 0.08 : height + edge * 1.1);
    return `<text x="${whole * 0.04}" y="${y}" font-family="serif" font-size="${edge * 0.06}" fill="#111">Dear guests, breakfast is served from seven to ten on the terrace of the house</text>`;
  });
  const shine = {
    x: width * (0.2 + 0.6 * random()),
    y: height * (0.78 + 0.2 * random()),
  };
  const rough =
    grain > 0
      ? `<filter id="rough" x="-2%" y="-20%" width="104%" height="140%"><feTurbulence type="fractalNoise" baseFrequency="${3 / pitch}" numOctaves="2" seed="7"/><feDisplacementMap in="SourceGraphic" scale="${grain * pitch * 0.22}"/><feGaussianBlur stdDeviation="${grain * pitch * 0.05}"/></filter>`
      : '';
  const wear =
    worn > 0
      ? `<filter id="worn" x="-2%" y="-20%" width="104%" height="140%"><feTurbulence type="fractalNoise" baseFrequency="${0.6 / pitch}" numOctaves="3" seed="11"/><feColorMatrix values="0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 8 ${-1.2 - 1.5 * worn}"/><feComposite in="SourceGraphic" operator="in"/></filter>`
      : '';
  const needle = dots * pitch;
  const needles =
    dots > 0
      ? `<pattern id="needle" width="${needle}" height="${needle}" patternUnits="userSpaceOnUse"><circle cx="${needle / 2}" cy="${needle / 2}" r="${needle * 0.47}" fill="#fff"/></pattern><mask id="dots" maskUnits="userSpaceOnUse" x="0" y="0" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="url(#needle)"/></mask>`
      : '';
  const stripes =
    foil > 0
      ? `<linearGradient id="foil" x2="0.09" y2="0.05" spreadMethod="repeat"><stop offset="0.3" stop-color="#fff" stop-opacity="0"/><stop offset="0.5" stop-color="#eff" stop-opacity="${foil}"/><stop offset="0.75" stop-color="#fef" stop-opacity="${foil}"/><stop offset="0.9" stop-color="#fff" stop-opacity="0"/></linearGradient>`
      : '';
  const filter = grain > 0 ? 'rough' : 'worn';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(whole)}" height="${Math.round(height + 2 * edge)}">
    <defs>${rough}${wear}${needles}${stripes}<radialGradient id="shine"><stop offset="0" stop-color="#fff" stop-opacity="${glare}"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="${share < 0.7 ? '#cbbfae' : '#6b5b4b'}"/>${letters.join('')}
    <g transform="rotate(${tilt} ${whole / 2} ${height / 2 + edge}) translate(${edge} ${edge})">
    <rect width="${width}" height="${height}" rx="${width * 0.012}" fill="${paper}"/>${waves.join('')}${threads.join('')}
    <rect x="${margin}" y="${height * 0.1}" width="${width * 0.26}" height="${height * 0.44}" fill="#b0a598"/>${visual.join('')}
    <g${grain + worn > 0 ? ` filter="url(#${filter})"` : ''}${dots > 0 ? ' mask="url(#dots)"' : ''} fill="${ink}" stroke="${weight < 0 ? paper : ink}" stroke-width="${2 * Math.abs(weight)}">${zone.join('')}</g>
    <ellipse cx="${shine.x}" cy="${shine.y}" rx="${width * 0.16}" ry="${height * 0.09}" fill="url(#shine)"/>
    ${foil > 0 ? `<rect y="${height * 0.6}" width="${width}" height="${height * 0.4}" fill="url(#foil)"/>` : ''}</g></svg>`;
}
