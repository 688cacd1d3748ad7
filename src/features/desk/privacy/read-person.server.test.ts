import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ok } from '~/base/outcome.ts';
import { askNumbers } from '~/features/status/ask-numbers.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { hashRequest, runOncePerKey } from '~/platform/postgres/idempotency.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { countDeletions } from './deletions.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { addNote } from '../application/notes.server.ts';
import { eraseShortLived, findShortLived, personIds, readPerson } from './read-person.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;

/** Keeps the answer to a request with a key. */
const storeAnswer = (number: string) =>
  runOncePerKey(
    db,
    {
      scope: 'POST /api/applications',
      key: randomUUID(),
      requestHash: hashRequest(sealer, { number }),
      made: z.object({ applications: z.array(z.object({ number: z.string() })) }),
      sealer,
      now: platform.now(),
    },
    () =>
      Promise.resolve(ok<{ applications: { number: string }[] }>({ applications: [{ number }] })),
  );

const none = { ids: [], numbers: [], addresses: new Set<string>() };

describe('answers and jobs of a person', () => {
  test('are found by number, id and sealed address, and those of others are not', async () => {
    const { id, number } = await makeApplication(platform, { email: 'one@example.org' });
    await storeAnswer(number);
    await storeAnswer('TRV0000000000000');
    await enqueue(db, 'insurance.certificate', { applicationId: id });
    await enqueue(db, 'insurance.certificate', { applicationId: randomUUID() });
    for (const email of ['One@example.org', 'two@example.org'])
      await askNumbers(platform, { email, address: '192.0.2.1', language: 'en' });

    const clues = { ids: [id], numbers: [number], addresses: new Set(['one@example.org']) };
    const found = await findShortLived(platform, clues);
    expect(found.answers.map(({ answer }) => answer)).toEqual([{ applications: [{ number }] }]);
    expect(found.jobs.map(({ name, email }) => ({ name, email }))).toEqual(
      expect.arrayContaining([
        { name: 'insurance.certificate', email: null },
        { name: 'application.numbers_asked', email: 'One@example.org' },
      ]),
    );
    expect(found.jobs).toHaveLength(2);
    expect(await findShortLived(platform, none)).toEqual({ answers: [], jobs: [] });

    const counts = await db.transaction(
      (tx) => countDeletions(tx, () => eraseShortLived(tx, found)),
      { isolationLevel: 'repeatable read' },
    );
    expect(counts).toEqual({
      deleted: { idempotency_key: 1, job: 2 },
      changed: {},
      files: 0,
    });
    expect(await findShortLived(platform, clues)).toEqual({ answers: [], jobs: [] });
    const others = { ...none, addresses: new Set(['two@example.org']) };
    expect((await findShortLived(platform, others)).jobs).toHaveLength(1);
  });

  test('a job that nobody can open any more is passed over', async () => {
    const payload = { id: randomUUID(), sealed: 'bm90IHNlYWxlZA==', language: 'en' };
    await enqueue(db, 'application.numbers_asked', payload);
    await expect(findShortLived(platform, none)).resolves.toBeDefined();
  });
});

test('a note that begins like JSON and is none is handed out as it was written', async () => {
  const { id: applicationId } = await makeApplication(platform);
  const id = randomUUID();
  const staff = await storeStaff(platform);
  await addNote(platform, staff, { id, applicationId, typed: '[see the file] {later}' });
  const own = {
    applicationIds: [applicationId],
    orderIds: [],
    draftIds: [],
    caseIds: [],
    staffIds: [],
  };
  const { tables } = await readPerson(platform, await personIds(db, own));
  expect(tables).toContainEqual({
    table: 'desk_note',
    rows: [expect.objectContaining({ text: '[see the file] {later}' })],
  });
});
