import sharp from 'sharp';
import { makeRandom } from '../../../../../test/crash/random.ts';
import { openFont, type Font, type FontName } from './ocr-b/font.ts';

/** How a sample is photographed. */
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
  /** Of the JPEG file, to 100. */
  quality: number;
  /** Seen from one side, or from above or below: how much nearer one edge is than the middle, of 1; 0 by default. */
  leanAcross?: number;
  leanDown?: number;
  /** Turned clockwise by so many right angles; 0 by default. */
  quarters?: number;
};

/** How a sample is printed. */
export type Print = {
  font: FontName;
  /** What is added to both sides of a stroke, in thousandths of the font's size; less than 0 makes it thinner. */
  weight: number;
};

const REGULAR: Print = { font: 'OCRB', weight: 0 };

/** A photo of a document that shows these machine-readable lines, as a JPEG file. */
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
  const data = leaned(drawn.data, info.width, info.height, conditions);
  for (const index of data.keys()) {
    const grain = (random() + random() + random() - 1.5) * conditions.noise;
    data[index] = Math.max(0, Math.min(255, (data[index] ?? 0) + grain));
  }
  const picture = sharp(data, { raw: info }).rotate(90 * (conditions.quarters ?? 0));
  const seen = conditions.blur > 0.3 ? picture.blur(conditions.blur) : picture;
  return seen.jpeg({ quality: conditions.quality }).toBuffer();
}

const PAPER = '#efe6d8';

/** The same colours, three bytes a pixel, seen from above or below and from one side. */
function leaned(
  data: Buffer,
  width: number,
  height: number,
  { leanAcross = 0, leanDown = 0 }: Conditions,
): Buffer {
  if (leanAcross === 0 && leanDown === 0) return data;
  const out = Buffer.alloc(data.length, 90);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [across, down] = [x / width - 0.5, y / height - 0.5];
      const depth = 1 + leanAcross * across + leanDown * down;
      const fromX = (across / depth + 0.5) * width;
      const fromY = (down / depth + 0.5) * height;
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue;
      const [right, below] = [fromX - left, fromY - top];
      for (let colour = 0; colour < 3; colour += 1) {
        const at = (top * width + left) * 3 + colour;
        const [a = 0, b = 0] = [data[at], data[at + 3]];
        const [c = 0, d = 0] = [data[at + width * 3], data[at + width * 3 + 3]];
        out[(y * width + x) * 3 + colour] =
          (a * (1 - right) + b * right) * (1 - below) + (c * (1 - right) + d * right) * below;
      }
    }
  }
  return out;
}

function documentOf(
  lines: readonly string[],
  { font: name, weight }: Print,
  { width: whole, tilt, glare }: Conditions,
  random: () => number,
): string {
  const font: Font = openFont(name);
  const width = whole * 0.86;
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
  const words = ['REPUBLIC', 'Surname', 'Given names', 'Nationality', 'Date of birth', 'Authority'];
  const visual = words.map(
    (word, row) =>
      `<text x="${width * 0.38}" y="${height * (0.12 + row * 0.08)}" font-family="sans-serif" font-size="${width * 0.02}" fill="#333">${word}</text>`,
  );
  const shine = {
    x: width * (0.2 + 0.6 * random()),
    y: height * (0.78 + 0.2 * random()),
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(whole)}" height="${Math.round(height + 2 * edge)}">
    <defs><radialGradient id="shine"><stop offset="0" stop-color="#fff" stop-opacity="${glare}"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="#6b5b4b"/>
    <g transform="rotate(${tilt} ${whole / 2} ${height / 2 + edge}) translate(${edge} ${edge})">
    <rect width="${width}" height="${height}" rx="18" fill="${PAPER}"/>${waves.join('')}
    <rect x="${margin}" y="${height * 0.1}" width="${width * 0.26}" height="${height * 0.44}" fill="#b0a598"/>${visual.join('')}
    <g fill="#1c1c1c" stroke="${weight < 0 ? PAPER : '#1c1c1c'}" stroke-width="${2 * Math.abs(weight)}">${zone.join('')}</g>
    <ellipse cx="${shine.x}" cy="${shine.y}" rx="${width * 0.16}" ry="${height * 0.09}" fill="url(#shine)"/></g></svg>`;
}
