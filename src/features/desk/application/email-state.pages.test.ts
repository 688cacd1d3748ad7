import { expect, test } from 'vitest';
import { linkEmail } from '~/features/application/change-email.server.ts';
import { insertEmail, markSent } from '~/features/email/ledger/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { decideApplication } from './decide.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const app = makeTestApp(platform);
const aydin = await storeStaff(platform);

const WAITS = /\bQueued|Email queued:|email is queued/g;

test('what was just decided says where its e-mail stands in one way, and not that it waits once it was sent', async () => {
  const { id, number } = await makeApplication(platform);
  const outcome = await decideApplication(platform, aydin, {
    kind: 'reject',
    applicationId: id,
    // Without a refund, which would be on its way too.
    code: 'authorities_refused',
  });
  expect(outcome.ok).toBe(true);
  const createdAt = platform.now();
  // As its job does when it first runs.
  const { id: emailId } = await insertEmail(db, { kind: 'rejected', about: id, createdAt });
  await linkEmail(db, emailId, [id]);
  const shown = async () => {
    const path = `/admin/applications/${number}?done=rejected`;
    const html = await (await app.request(path, { headers: { cookie: aydin.cookie } })).text();
    // Without the data for scripts.
    return html.replaceAll(/<script[\s\S]*?<\/script>/g, '');
  };
  const waiting = await shown();
  expect(waiting).toContain('Rejected.');
  // In the list of emails and below it, once each.
  expect(waiting.match(WAITS)).toHaveLength(2);
  expect(waiting).not.toMatch(/on its way/i);
  await markSent(db, emailId, platform.now());
  const sent = await shown();
  expect(sent).toContain('Rejected.');
  expect(sent).not.toMatch(WAITS);
  expect(sent).not.toMatch(/on its way/i);
});
