import { expect, test } from 'vitest';
import { fileJobs } from '~/platform/files/files.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { decideApplication } from './decide.server.ts';
import { goodPdf, storeStaff } from './testing/case-store.server.ts';
import { deleteUnusedUploads, upload, uploadedFile } from './uploads.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const aydin = await storeStaff(platform, { name: 'E. Aydın' });

async function uploaded(): Promise<string> {
  const outcome = await upload(platform, aydin, goodPdf());
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.value.id;
}

test('uploads that nobody used are gone after a day, used ones stay', async () => {
  const { id } = await makeApplication(platform);
  const [used, unused] = [await uploaded(), await uploaded()];
  await decideApplication(platform, aydin, { kind: 'approve', applicationId: id, fileId: used });
  platform.clock.advance(23 * 3600_000);
  await deleteUnusedUploads(platform);
  await platform.runJobs(fileJobs(platform));
  expect(await platform.files.read(unused)).toBeDefined();
  platform.clock.advance(2 * 3600_000);
  await deleteUnusedUploads(platform);
  await platform.runJobs(fileJobs(platform));
  expect(await platform.files.read(unused)).toBeUndefined();
  expect(await platform.files.read(used)).toBeDefined();
});

test('of a form’s file control: an empty file without a name is none', async () => {
  const { id: applicationId } = await makeApplication(platform);
  const read = (file: File) => {
    const form = new FormData();
    form.set('document', file);
    return uploadedFile(platform, aydin, { form, applicationId });
  };
  expect(await read(new File([], ''))).toEqual({ ok: true, value: undefined });
  const chosen = await read(new File([Uint8Array.from(goodPdf())], 'visa.pdf'));
  expect(chosen).toMatchObject({ ok: true, value: expect.any(String) });
});
