import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { storedFiles } from '~/platform/testing/stored-files.ts';
import { photosOf } from '../store/photo-store.server.ts';
import { insuranceDetailsOf } from '../store/store.server.ts';
import {
  completeCall as complete,
  dataUrl,
  insuranceCalls,
  jpeg,
  minorCall as minor,
} from '../testing/api-calls.ts';

const { applications, platform, post } = await insuranceCalls();

const photo = async (shade?: string) => dataUrl(await jpeg(shade));
const files = () => storedFiles(platform.config.dataDir);

describe('photos of a parent’s ID', () => {
  it('are drawn anew, sealed and kept with the application, in order', async () => {
    const photos = [
      { name: 'mother.jpg', data: await photo('#123') },
      { name: 'father.png', dataUrl: await photo('#456') },
    ];
    const { status, answer } = await post({ ...minor, parentIdPhotos: photos });
    expect(status).toBe(201);
    const { db, sealer } = platform;
    const kept = await photosOf(db, sealer, { applicationId: String(answer.id) });
    expect(kept.map(({ name }) => name)).toEqual(['mother.jpg', 'father.png']);
    const file = await platform.files.read(kept[0]?.fileId ?? '');
    expect(file?.mediaType).toBe('image/jpeg');
    expect(await sharp(file?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40 });
    expect(await insuranceDetailsOf(db, sealer, String(answer.id))).toMatchObject({
      isMinor: true,
    });
  });

  it('of an adult are not kept', async () => {
    const before = files();
    const photos = [{ name: 'id.jpg', data: await photo() }];
    const { status, answer } = await post({ ...complete, parentIdPhotos: photos });
    expect(status).toBe(201);
    const { db, sealer } = platform;
    expect(await photosOf(db, sealer, { applicationId: String(answer.id) })).toEqual([]);
    expect(files()).toEqual(before);
  });

  it('are wanted: null and an empty list are refused', async () => {
    for (const parentIdPhotos of [null, []]) {
      const { answer } = await post({ ...minor, parentIdPhotos });
      expect(answer.errors).toEqual({ parentIdPhotos: 'required' });
    }
  });

  const good = { name: 'good.jpg', data: '' };
  const pdf = dataUrl(Buffer.from('%PDF-1.7 renamed'), 'image/jpeg');
  it.each([
    ['a renamed PDF', [{ name: 'id.jpg', data: pdf }], 'not_photo'],
    ['no data-URL at all', [{ name: 'id.jpg', data: 'http://127.0.0.1/id.jpg' }], 'empty'],
    ['no data', [{ name: 'id.jpg' }], 'empty'],
    ['no list', 'id.jpg', 'empty'],
    [
      'more than 5 MB',
      [{ name: 'wall.jpg', data: dataUrl(Buffer.alloc(5_300_000, 255)) }],
      'too_large',
    ],
    ['five photos', [good, good, good, good, good], 'too_many'],
  ])('are refused as %s, and nothing is stored', async (_, parentIdPhotos, code) => {
    const [before, stored] = [await applications(), files()];
    const first = { name: 'first.jpg', data: await photo('#9a9') };
    const sent =
      Array.isArray(parentIdPhotos) && parentIdPhotos.length === 1
        ? [first, ...parentIdPhotos]
        : parentIdPhotos;
    const { status, answer } = await post({ ...minor, parentIdPhotos: sent });
    expect(status).toBe(422);
    expect(answer.errors).toEqual({ parentIdPhotos: code });
    expect(await applications()).toBe(before);
    expect(files()).toEqual(stored);
  });

  it('name the file in the message', async () => {
    const parentIdPhotos = [{ name: 'passport of mum.pdf', data: pdf }];
    const { answer } = await post({ ...minor, parentIdPhotos }, { 'accept-language': 'en' });
    expect(answer.messages).toHaveProperty(
      'parentIdPhotos',
      'passport of mum.pdf is the wrong type of file. Choose a JPEG, PNG or WebP file.',
    );
  });
});
