import {
  AskedInsideTransaction,
  insideTransaction,
} from '~/platform/postgres/transaction-scope.server.ts';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { MAX_PHOTO_BYTES } from '~/features/form/answers/limits.ts';
import { readPhoto } from './photo-upload.server.ts';

const picture = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: '#8ab' } });

/** A black PNG of one bit a pixel, so that many pixels take a few kilobytes. */
function flatPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const row = 1 + Math.ceil(width / 8);
  // Above the limit nothing is decoded, so the rows may be missing.
  const rows = deflateSync(Buffer.alloc(row * Math.min(height, 10_000)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const heic = () => {
  const box = Buffer.alloc(600);
  box.writeUInt32BE(24, 0);
  box.write('ftypheic\0\0\0\0mif1heic', 4, 'latin1');
  return box;
};

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const start = process.cpuUsage();
  const read = await readPhoto(bytes);
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
  return read.ok ? 'taken' : read.error;
}

describe('a photo', () => {
  it('is taken without the two bytes that end it, and refused where half of it is missing', async () => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const jpeg = await sharp({
      create: { width: 400, height: 300, channels: 3, background: '#888', noise },
    })
      .jpeg()
      .toBuffer();
    expect(await refusalOf(jpeg.subarray(0, -2))).toBe('taken');
    expect(await refusalOf(jpeg.subarray(0, jpeg.length / 2))).toBe('unreadable');
  });

  it.each(['jpeg', 'png', 'webp'] as const)('is taken as %s and kept as JPEG', async (format) => {
    const read = await readPhoto(await picture().toFormat(format).toBuffer());
    if (!read.ok) throw new Error(read.error);
    expect(await sharp(read.value).metadata()).toMatchObject({
      format: 'jpeg',
      width: 60,
      height: 40,
    });
  });

  it('loses place, time and comments, and is turned upright', async () => {
    const secret = 'Taken by Ann at home';
    const taken = await picture()
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { ImageDescription: secret }, IFD3: { GPSLatitude: '41/1 0/1 0/1' } })
      .jpeg()
      .toBuffer();
    expect(taken.includes(secret)).toBe(true);
    const read = await readPhoto(taken);
    if (!read.ok) throw new Error(read.error);
    expect(read.value.includes(secret)).toBe(false);
    const about = await sharp(read.value).metadata();
    expect(about.exif).toBeUndefined();
    expect([about.width, about.height]).toEqual([40, 60]);
  });

  it('loses a second file that hides behind it', async () => {
    const hidden = '<script>alert(1)</script>';
    const photo = Buffer.concat([await picture().jpeg().toBuffer(), Buffer.from(hidden)]);
    const read = await readPhoto(photo);
    if (!read.ok) throw new Error(read.error);
    expect(read.value.includes(hidden)).toBe(false);
  });

  it('is made smaller than a wall', async () => {
    const read = await readPhoto(await picture(5000, 3000).jpeg().toBuffer());
    if (!read.ok) throw new Error(read.error);
    expect(await sharp(read.value).metadata()).toMatchObject({ width: 2400, height: 1440 });
  });

  it('shows what is transparent as white', async () => {
    const clear = sharp({
      create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    });
    const read = await readPhoto(await clear.png().toBuffer());
    if (!read.ok) throw new Error(read.error);
    expect((await sharp(read.value).stats()).channels[0]?.mean).toBeGreaterThan(250);
  });
});

describe('what is no photo is refused within a second:', () => {
  it('an empty file', async () => {
    expect(await refusalOf(new Uint8Array())).toBe('empty');
  });

  it('a file over 5 MB', async () => {
    expect(await refusalOf(Buffer.alloc(MAX_PHOTO_BYTES + 1, 1))).toBe('too_large');
  });

  it('a PDF, whatever its name', async () => {
    expect(await refusalOf(Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'))).toBe('not_photo');
  });

  it.each([
    ['text', 'hello'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ])('%s', async (_, content) => {
    expect(await refusalOf(Buffer.from(content))).toBe('not_photo');
  });

  it.each(['gif', 'tiff', 'avif'] as const)(
    'an image in a format that is not asked for: %s',
    async (format) => {
      expect(await refusalOf(await picture().toFormat(format).toBuffer())).toBe('not_photo');
    },
  );

  it('a HEIC photo, as long as the image library cannot read it', async () => {
    expect(await refusalOf(heic())).toBe(
      sharp.format.heif.input.fileSuffix?.includes('.heic') ? 'unreadable' : 'heic',
    );
  });

  it.each([
    [9000, 9000],
    [60_000, 60_000],
    [2_000_000, 30],
  ])('a bomb of %i × %i pixels in a few kilobytes', async (width, height) => {
    const bomb = flatPng(width, height);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refusalOf(bomb)).toBe('too_many_pixels');
  });

  it.each(['jpeg', 'png', 'webp'] as const)('a %s that is cut short', async (format) => {
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    });
    const whole = await noise.toFormat(format).toBuffer();
    expect(await refusalOf(whole.subarray(0, whole.length / 2))).toBe('unreadable');
  });

  it('the first bytes of a photo and nothing else', async () => {
    const start = (await picture().jpeg().toBuffer()).subarray(0, 20);
    expect(await refusalOf(start)).toBe('unreadable');
  });

  it('a photo filled up with noise', async () => {
    const start = (await picture().png().toBuffer()).subarray(0, 40);
    expect(await refusalOf(Buffer.concat([start, Buffer.alloc(50_000, 7)]))).toBe('unreadable');
  });
});

it('is not decoded inside a transaction, which would wait for it', async () => {
  const bytes = await picture().jpeg().toBuffer();
  await expect(insideTransaction(() => readPhoto(bytes))).rejects.toThrow(AskedInsideTransaction);
});
