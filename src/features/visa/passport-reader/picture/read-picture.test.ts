import sharp from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { makeRandom } from '../../../../../test/crash/random.ts';
import { drawPassport, type Conditions, type Print } from '../testing/draw-passport.ts';
import { photoKinds } from '../testing/photo-kinds.ts';
import { shapesOfFont } from '../testing/print-shapes-of-font.ts';
import { samplePassports, type Sample } from '../testing/sample-passports.ts';
import { grayOf, type Gray } from './gray.ts';
import { printShapes } from './print-shapes.ts';
import { readPictureLines, type PictureReading } from '../read-picture-lines.ts';
import { readPicture } from './read-picture.ts';

const read = (photo: Gray): PictureReading => readPictureLines(readPicture(photo), today());

function today(): PlainDate {
  const day = parseDate('2026-11-23');
  if (!day) throw new Error('No day');
  return day;
}

async function photoOf(file: Buffer): Promise<Gray> {
  const { data, info } = await sharp(file)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return grayOf(info.width, info.height, data);
}

const photograph = async (
  { lines, conditions, seed }: Sample,
  more: Partial<Conditions> = {},
  print?: Print,
) => photoOf(await drawPassport(lines, { ...conditions, ...more }, seed, print));

const calm: Conditions = { width: 1500, tilt: 0, noise: 8, blur: 0.4, glare: 0, quality: 85 };

/** What a reading says otherwise than the document: a field by its name. */
function wrongIn(answer: PictureReading, { person, lines, format }: Sample): string[] {
  if (!answer.ok) return [];
  const { zone } = answer;
  const names = [zone.lastName, zone.firstName].filter((name) => name !== '').join('<<');
  const printed = format === 'TD1' ? lines[2] : lines[0]?.slice(5);
  const isNamed = names === '' || names.replaceAll(' ', '<') === printed?.replace(/<+$/, '');
  return [
    zone.passportNumber === person.number ? '' : 'passportNumber',
    zone.dateOfBirth === person.born ? '' : 'dateOfBirth',
    zone.passportExpiryDate === person.expires ? '' : 'passportExpiryDate',
    zone.nationality === '' || zone.nationality === person.nationality ? '' : 'nationality',
    isNamed ? '' : 'names',
  ].filter((field) => field !== '');
}

/** `npm run test:mrz` takes 60 documents, half as many of each other kind, and each way to hold one. */
const asked = Number(process.env.PASSPORTS ?? 0);

describe('photos of sample documents', () => {
  const kinds = asked > 0 ? photoKinds : photoKinds.slice(0, 1);

  test.each(kinds.map((kind, index) => ({ ...kind, count: (asked || 2) / (index > 0 ? 2 : 1) })))(
    '$name: most of $count are read, and none of them wrong',
    { timeout: 1_200_000 },
    async ({ name, print, more, least, count }) => {
      const figures = { read: 0, readWithoutNames: 0, refused: 0, wrong: 0 };
      const wrong: string[] = [];
      for (const sample of samplePassports(count)) {
        const conditions = more?.(makeRandom(9000 + sample.seed));
        const answer = read(await photograph(sample, conditions, print));
        const fields = wrongIn(answer, sample);
        if (fields.length > 0) {
          figures.wrong += 1;
          wrong.push(`${sample.seed} (${sample.format}): ${fields.join(', ')}`);
        } else if (!answer.ok) figures.refused += 1;
        else if (answer.zone.lastName !== '') figures.read += 1;
        else figures.readWithoutNames += 1;
      }
      process.stdout.write(`${name}, of ${count} documents: ${JSON.stringify(figures)}\n`);
      expect(wrong).toEqual([]);
      expect(figures.read * 100).toBeGreaterThanOrEqual(count * least);
    },
  );
});

describe('a photo', () => {
  const [sample] = samplePassports(1);
  if (!sample) throw new Error('No sample');

  const held: readonly [string, Partial<Conditions>][] = [
    ['held askew by -10 degrees', { tilt: -10 }],
    ['held askew by 7 degrees', { tilt: 7 }],
    ['turned by a right angle', { quarters: 1 }],
    ['upside down', { quarters: 2 }],
    ['turned by three right angles', { quarters: 3 }],
    ['taken from one side', { leanAcross: 0.14 }],
  ];
  // Here the last one; `e2e/passport-lines.spec.ts` has one askew and turned by a right angle.
  const chosen = asked > 0 ? held : held.slice(-1);
  test.each(chosen)('%s is read', async (_, how) => {
    const answer = read(await photograph(sample, { ...calm, ...how }));
    if (!answer.ok) throw new Error(answer.error);
    expect(answer.zone.lastName).not.toBe('');
    expect(wrongIn(answer, sample)).toEqual([]);
  });

  it('with something else in it says that there are no lines', async () => {
    const empty = sharp({ create: { width: 800, height: 600, channels: 3, background: '#ddd' } });
    const photo = await photoOf(await empty.jpeg().toBuffer());
    expect(read(photo)).toEqual({ ok: false, error: 'not_found' });
  });

  it('of lines that cannot be right gives the lines to be put right', async () => {
    const [upper = '', lower = ''] = sample.lines;
    const digit = lower.charAt(9) === '7' ? '8' : '7';
    const lines = [upper, lower.slice(0, 9) + digit + lower.slice(10)];
    const photo = await photograph({ ...sample, lines }, calm);
    expect(read(photo)).toEqual({
      ok: false,
      error: 'unsure',
      text: lines.join('\n'),
      doubts: [],
    });
  });

  it('with a smudge on a character names its place', async () => {
    const [upper = '', lower = ''] = sample.lines;
    const smudged = [upper, `${lower.slice(0, 4)}*${lower.slice(5)}`];
    const photo = await photograph({ ...sample, lines: smudged }, calm);
    expect(read(photo)).toMatchObject({ error: 'unsure', doubts: [{ line: 2, place: 5 }] });
  });
});

it('knows OCR-B by the shapes of the font', async () => {
  expect(printShapes).toBe(await shapesOfFont());
});
