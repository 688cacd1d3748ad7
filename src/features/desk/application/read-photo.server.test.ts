import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertPhoto } from '~/features/insurance/store/photo-store.server.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { readPhoto } from './read-files.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { makeInsurance } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const staff = await storeStaff(platform);
const { db, sealer, files } = platform;

test('viewing a photo is audited with the viewer', async () => {
  const { id: applicationId } = await makeInsurance(platform, { dateOfBirth: '2012-02-29' });
  const bytes = Buffer.from('a photo');
  const file = await files.put(bytes, { mediaType: 'image/jpeg' });
  const id = randomUUID();
  const contentHash = sealer.keyedHash(bytes, 'test');
  const photo = { id, name: 'mother.jpg', fileId: file.id, size: file.size, contentHash };
  await insertPhoto(db, sealer, { applicationId }, photo, platform.now());

  expect(await readPhoto(platform, staff, id)).toEqual({ bytes, mediaType: 'image/jpeg' });
  expect(await auditEntriesOf(db, { kind: 'application', id: applicationId })).toMatchObject([
    { action: 'photo_viewed', staffId: staff.id, detail: { photoId: id } },
  ]);
});

test.each(['x', randomUUID()])('there is no photo %s', async (id) => {
  expect(await readPhoto(platform, staff, id)).toBeNull();
});
