import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { insertPhoto } from '~/features/insurance/store/photo-store.server.ts';
import { receiptsByOrder } from '~/features/order/receipt/issue-receipt.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeInsurance } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { storeStaff } from './testing/case-store.server.ts';

const service = await startTestService();
const { platform, payments } = service;
const { db, files, sealer } = platform;
const app = makeTestApp(platform, payments);
const { place, start, pay, comeBack } = purchases(service);
const { id: staffId, cookie } = await storeStaff(platform);

const open = (path: string) => app.request(path, { headers: { cookie } });

test('a photo is shown to staff, who leave a trace', async () => {
  const { id: applicationId } = await makeInsurance(platform, { dateOfBirth: '2012-02-29' });
  const bytes = Buffer.from('a photo');
  const file = await files.put(bytes, { mediaType: 'image/jpeg' });
  const id = randomUUID();
  const contentHash = sealer.keyedHash(bytes, 'test');
  const photo = { id, name: 'mother.jpg', fileId: file.id, size: file.size, contentHash };
  await insertPhoto(db, sealer, { applicationId }, photo, platform.now());

  const shown = await open(`/admin/photos/${id}`);
  expect(shown.headers.get('content-type')).toBe('image/jpeg');
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(bytes);
  expect(await auditEntriesBySubject(db, { kind: 'application', id: applicationId })).toMatchObject(
    [{ action: 'photo_viewed', staffId, detail: { photoId: id } }],
  );
});

test('a receipt is shown to staff alone, who leave a trace', async () => {
  const order = await place();
  await comeBack(await pay(await start(order)));
  const [receipt] = await receiptsByOrder(db, order.id);
  const path = `/admin/receipts/${needed(receipt).id}`;
  expect((await app.request(path)).status).not.toBe(200);
  const shown = await open(path);
  expect(shown.headers.get('content-disposition')).toMatch(/LR-2026-\d{6}\.pdf"$/);
  expect((await shown.text()).startsWith('%PDF-')).toBe(true);
  expect(await auditEntriesBySubject(db, { kind: 'order', id: order.id })).toMatchObject([
    { action: 'receipt_viewed', staffId },
  ]);
});

test.each(['documents', 'photos', 'receipts'])('there are no unknown %s', async (kind) => {
  for (const id of ['x', randomUUID()]) {
    expect((await open(`/admin/${kind}/${id}`)).status).toBe(404);
  }
});
