import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import {
  correctionsOf,
  insertCorrection,
} from '~/features/application/correction/correction-store.server.ts';
import { applicationById, currentDocument } from '~/features/application/store.server.ts';
import { notesOf, addNote } from '../application/notes.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { insuranceDetailsOf } from '~/features/insurance/store/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { visaDetailsOf } from '~/features/visa/store/store.server.ts';
import { fileJobs } from '~/platform/files/remove-files.server.ts';
import { enforceRetention } from './enforce-retention.server.ts';
import { approve, makeApplication, makeInsurance } from '../../../../test/make.ts';

const at2020 = () => makeTestPlatform({ now: new Date('2020-01-10T10:00:00Z') });

it('deletes a visa application five years after its last event, with answers and files, and keeps its order', async () => {
  const platform = await at2020();
  const { db, clock } = platform;
  const application = await makeApplication(platform, { paid: false });
  const { order } = application;
  clock.set(new Date('2020-03-01T10:00:00Z'));
  await approve(platform, application, Buffer.from('%PDF-1.7'));
  const file = (await currentDocument(db, application.id))?.fileId ?? '';

  const author = await storeStaff(platform);
  const note = { id: randomUUID(), applicationId: application.id, typed: 'Called the hotel' };
  await addNote(platform, author, note);
  const asked = { id: randomUUID(), applicationId: application.id, fields: ['phone'] };
  const askedAt = platform.now();
  const deadline = { askedAt, answerBy: askedAt, keepsStart: true };
  const correction = { ...asked, ...deadline, note: 'Call me', staffId: author.id };
  await db.transaction((tx) => insertCorrection(tx, correction));

  clock.set(new Date('2025-02-28T10:00:00Z'));
  await enforceRetention(platform);
  expect(await applicationById(db, application.id)).not.toBeNull();
  expect(await platform.files.read(file)).toBeDefined();
  expect(await notesOf(db, platform.sealer, application.id)).toHaveLength(1);
  expect(await correctionsOf(db, application.id)).toHaveLength(1);

  clock.set(new Date('2025-03-02T10:00:00Z'));
  await enforceRetention(platform);
  expect(await applicationById(db, application.id)).toBeNull();
  expect(await visaDetailsOf(db, platform.sealer, application.id)).toBeNull();
  await platform.runJobs(fileJobs(platform));
  expect(await platform.files.read(file)).toBeUndefined();
  expect(await notesOf(db, platform.sealer, application.id)).toEqual([]);
  expect(await correctionsOf(db, application.id)).toEqual([]);
  expect(await orderByNumber(db, order.number)).not.toBeNull();
});

it('keeps an insurance ten years', async () => {
  const platform = await at2020();
  const { db, clock } = platform;
  const { id } = await makeInsurance(platform);
  clock.set(new Date('2030-01-09T10:00:00Z'));
  await enforceRetention(platform);
  expect(await insuranceDetailsOf(db, platform.sealer, id)).not.toBeNull();

  clock.set(new Date('2030-01-11T10:00:00Z'));
  await enforceRetention(platform);
  expect(await applicationById(db, id)).toBeNull();
  expect(await insuranceDetailsOf(db, platform.sealer, id)).toBeNull();
});
