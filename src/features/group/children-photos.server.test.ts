import { expect, test } from 'vitest';
import { makeTestPlatform } from '../../../test/platform.ts';
import { AdmittedPhotos } from '~/features/insurance/purchase/photo-upload.server.ts';
import { jpeg } from '~/features/insurance/testing/api-calls.ts';
import { storedFiles } from '~/platform/testing/stored-files.ts';
import { storeChildPhotos } from './submit-party.server.ts';

const platform = await makeTestPlatform();

test('photos for other children than were insured are refused, and their files removed', async () => {
  const photo = { name: 'm.jpg', bytes: new Uint8Array(await jpeg()) };
  const photos = await storeChildPhotos(platform, AdmittedPhotos.stored([photo]), 2);
  expect(storedFiles(platform.config.dataDir)).toHaveLength(2);
  const storing = platform.db.transaction((tx) => photos.insert(tx, ['one']));
  await expect(storing).rejects.toThrow('2 children, but 1');
  await photos.removeRest();
  expect(storedFiles(platform.config.dataDir)).toEqual([]);
});
