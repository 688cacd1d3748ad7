import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { addDays, toPlainDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { closeCase, openCase } from '../privacy/cases.server.ts';
import { refundOrder, releaseHeldRefund } from '../money/refunds.server.ts';
import { answerCorrection } from '../application/testing/answer-correction.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { raiseAlert } from '~/features/payment/settlement/store.server.ts';
import { askCorrection, withdrawCorrection } from '../application/ask-correction.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { readFilter } from '../queue/list-filter.ts';
import { queuePage } from '../queue/queue.server.ts';
import { deskDecision } from '../application/tables.server.ts';
import { undoDecision } from '../application/undo.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { claimApplication } from '../application/claim.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '1.00' } });
const app = makeTestApp(platform);
const reviewer = await storeStaff(platform);
const manager = await storeStaff(platform, { role: 'manager' });

/** The counts in the navigation of some page. */
async function waiting({ cookie }: { cookie: string }): Promise<string[]> {
  const answer = await app.request('/admin/account', { headers: { cookie } });
  const html = await answer.text();
  return [...html.matchAll(/data-testid="signal" title="([^"]+)"/g)].map(([, text = '']) => text);
}

test('refunds to release and open alerts stand beside their pages, for whoever can do something', async () => {
  expect(await waiting(manager)).toEqual([]);
  const { number } = await makeApplication(platform);
  const order = needed(await orderByNumber(platform.db, number));
  const held = await refundOrder(platform, reviewer, order, {
    choice: { cause: 'our_error', askedAt: platform.now(), applications: [number] },
  });
  if (!held.ok) throw new Error(held.error.code);
  await platform.db.transaction((tx) =>
    raiseAlert(tx, {
      id: randomUUID(),
      kind: 'unknown_reference',
      detail: {},
      raisedAt: platform.now(),
    }),
  );
  expect(await waiting(manager)).toEqual(['1 refund awaiting release', '1 open alert']);
  // Nobody releases their own refund, and a reviewer sees no payments.
  expect(await waiting(reviewer)).toEqual([]);
  expect((await releaseHeldRefund(platform, manager, held.value.refund.id)).ok).toBe(true);
  expect(await waiting(manager)).toEqual(['1 open alert']);
});

/** A visa application whose traveller was asked for another passport number and has given it. */
async function storeCorrected() {
  const { id, number } = await makeApplication(platform);
  const asked = { applicationId: id, fields: ['passportNumber'] as const, note: 'See the photo.' };
  expect(
    (await askCorrection(platform, reviewer, { ...asked, fields: [...asked.fields] })).ok,
  ).toBe(true);
  await answerCorrection(platform, id, { passportNumber: 'U7654321' });
  return { id, number };
}

const TO_CHECK = ['1 corrected application to check'];
const press = ({ number }: { number: string }, intent: string, { cookie } = reviewer) =>
  app.request(`/admin/applications/${number}`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ intent }),
  });
const queueRow = async (query: string) => {
  const filter = readFilter(new URLSearchParams(query), 'visa', null);
  const { rows } = await queuePage(platform.db, filter, {
    staffId: reviewer.id,
    now: platform.now(),
  });
  return rows.map(({ number, corrected }) => [number, corrected]);
};

test('a corrected application is listed, marked and counted until somebody says that it was checked', async () => {
  expect(await waiting(reviewer)).toEqual([]);
  const found = await storeCorrected();
  const { id, number } = found;
  const stays = async () => {
    expect(await waiting(reviewer)).toEqual(TO_CHECK);
    expect(await queueRow('show=corrected')).toEqual([[number, true]]);
  };
  await stays();
  // Neither a look, nor a claim by whatever way, is a check.
  for (const { cookie } of [manager, reviewer])
    await app.request(`/admin/applications/${number}`, { headers: { cookie } });
  await stays();
  await claimApplication(platform, reviewer, id);
  await claimApplication(platform, manager, id, { takeOver: true });
  await stays();
  // Somebody else is working on it.
  expect((await press(found, 'checked')).status).toBe(409);
  await stays();
  expect((await press(found, 'checked', manager)).status).toBe(302);
  expect(await waiting(reviewer)).toEqual([]);
  expect(await queueRow('show=corrected')).toEqual([]);
  const trail = await auditEntriesBySubject(platform.db, { kind: 'application', id });
  expect(trail.at(-1)).toMatchObject({ action: 'correction_checked', staffId: manager.id });
});

test('a corrected application is no longer so once it is asked again, and where that is withdrawn', async () => {
  const { id } = await storeCorrected();
  const asked = { applicationId: id, fields: ['phone'], note: 'It does not answer.' };
  expect((await askCorrection(platform, reviewer, asked)).ok).toBe(true);
  expect(await waiting(reviewer)).toEqual([]);
  expect((await withdrawCorrection(platform, reviewer, id)).ok).toBe(true);
  expect(await waiting(reviewer)).toEqual([]);
});

test('a corrected application is no longer so once it is decided, and is again when that is undone', async () => {
  const { id } = await storeCorrected();
  const decision = { kind: 'reject', applicationId: id, code: 'duplicate' } as const;
  expect((await decideApplication(platform, reviewer, decision, { undoable: true })).ok).toBe(true);
  expect(await waiting(reviewer)).toEqual([]);
  const [made] = await platform.db
    .select()
    .from(deskDecision)
    .where(eq(deskDecision.applicationId, id));
  expect((await undoDecision(platform, reviewer, needed(made).id)).ok).toBe(true);
  expect(await waiting(reviewer)).toEqual(TO_CHECK);
});

test('requests about personal data are counted from a week before their last day, for administrators', async () => {
  const administrator = await storeStaff(platform, { role: 'administrator' });
  const open = async (arrivedOn: PlainDate) => {
    const opened = await openCase(platform, administrator, {
      kind: 'access',
      arrivedOn,
      language: 'en',
      given: { number: '', email: 'a@example.org', passport: '' },
    });
    return opened.ok ? opened.value : '';
  };
  const today = toPlainDate(platform.now(), UTC);
  await open(addDays(today, -22));
  expect(await waiting(administrator)).not.toContain('1 privacy request to answer soon');
  const due = await open(addDays(today, -23));
  expect(await waiting(administrator)).toContain('1 privacy request to answer soon');
  await open(addDays(today, -40));
  expect(await waiting(administrator)).toContain('2 privacy requests to answer soon');
  const answer = { outcome: 'refused', answer: 'We could not tell who you are' };
  await closeCase(platform, administrator, due, answer);
  expect(await waiting(administrator)).toContain('1 privacy request to answer soon');
  expect(await waiting(manager)).not.toContain('1 privacy request to answer soon');
});
