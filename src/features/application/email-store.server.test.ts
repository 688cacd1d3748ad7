import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  emailById,
  insertEmail,
  markSent,
  storeContent,
} from '~/features/email/ledger/store.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import {
  deleteEmailsOf,
  emailsOf,
  emailWithApplications,
  linkEmail,
} from './change-email.server.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sealer, now } = platform;

async function store(applicationIds: string[], about: string = randomUUID()): Promise<string> {
  const { id } = await insertEmail(db, { kind: 'received', about, createdAt: now() });
  await linkEmail(db, id, applicationIds);
  return id;
}

const cases = async () => {
  const [one, other] = [await makeApplication(platform), await makeApplication(platform)];
  return [one.id, other.id] as const;
};

describe('an e-mail about several applications', () => {
  test('is stored once, and linked to each', async () => {
    const [one, other] = await cases();
    const about = randomUUID();
    const ids = await Promise.all([1, 2, 3].map(() => store([one, other], about)));
    expect(new Set(ids).size).toBe(1);
    const [id = ''] = ids;
    for (const each of [one, other]) {
      expect(await emailsOf(db, sealer, each)).toMatchObject([{ id, about, kind: 'received' }]);
    }
    const found = await emailWithApplications(db, sealer, id);
    expect(found?.applicationIds.toSorted()).toEqual([one, other].toSorted());
  });

  test('loses its content with the last of them, and stays recorded as sent', async () => {
    const [one, other] = await cases();
    const id = await store([one, other]);
    await storeContent(db, sealer, id, { to: 'a@example.org', subject: 'Hello', body: null });
    await markSent(db, id, now());
    await db.transaction((tx) => deleteEmailsOf(tx, [one]));
    expect(await emailsOf(db, sealer, one)).toEqual([]);
    expect(await emailsOf(db, sealer, other)).toMatchObject([{ content: { subject: 'Hello' } }]);
    await db.transaction((tx) => deleteEmailsOf(tx, [other]));
    expect(await emailById(db, sealer, id)).toMatchObject({ content: null, sentAt: now() });
  });
});
