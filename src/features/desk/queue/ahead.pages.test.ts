import { parse } from 'devalue';
import { beforeEach, expect, test, vi } from 'vitest';
import { validClaims } from '~/features/application/claim-store.server.ts';
import { claimApplication } from '../application/claim.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import { makeApplication } from '../../../../test/make.ts';

type StoredStaff = Awaited<ReturnType<typeof storeStaff>>;
let platform: TestPlatform;
let app: ReturnType<typeof makeTestApp>;
let aydin: StoredStaff;
let demir: StoredStaff;
// Each has a queue of its own.
beforeEach(async () => {
  platform = await makeTestPlatform();
  app = makeTestApp(platform);
  aydin = await storeStaff(platform, { name: 'E. Aydın' });
  demir = await storeStaff(platform, { name: 'K. Demir' });
});

const later = (minutes: number) => new Date(platform.now().getTime() + minutes * 60_000);

async function ahead(not: string, { cookie } = aydin) {
  const answer = await app.request(`/admin/ahead?list=&not=${not}`, { headers: { cookie } });
  expect(answer.headers.get('cache-control')).toContain('no-store');
  return parse(await answer.text());
}

test('the next application is loaded without being claimed, and its view is recorded', async () => {
  const now = await makeApplication(platform, { promisedAt: later(10) });
  const next = await makeApplication(platform, { promisedAt: later(20), firstName: 'Nomsa' });
  expect(await ahead(now.number)).toMatchObject({
    number: next.number,
    page: { opened: { application: { firstName: 'Nomsa' } } },
    queue: { staff: { id: aydin.id } },
  });
  expect(await validClaims(platform.db, [now.id, next.id], platform.now())).toEqual(new Map());
  expect(
    await auditEntriesBySubject(platform.db, { kind: 'application', id: next.id }),
  ).toMatchObject([{ action: 'application_viewed', staffId: aydin.id }]);
  // Somebody opens it in the meantime: it is not the next of anybody else.
  await claimApplication(platform, demir, next.id);
  expect(await ahead(now.number)).toBeNull();
  expect(await ahead(now.number, demir)).toMatchObject({ number: next.number });
});

test('a decision can be sent so that the next application of its list opens, claimed', async () => {
  await makeApplication(platform, { promisedAt: later(0), countryCode: 'PAK' });
  const [first, second] = [
    await makeApplication(platform, { promisedAt: later(1) }),
    await makeApplication(platform, { promisedAt: later(2) }),
  ];
  const post = async (path: string, fields: Record<string, string>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const headers = { cookie: aydin.cookie };
    const answer = await app.request(path, { method: 'POST', headers, body });
    return answer.headers.get('location') ?? '';
  };
  const fields = { intent: 'reject', seen: 'pending', reasonCode: 'duplicate' };
  const at = await post(`/admin/applications/${first.number}?nationality=ZAF`, fields);
  expect(await post(at, { after: 'next' })).toBe(
    `/admin/applications/${second.number}?nationality=ZAF#application`,
  );
  const claims = await validClaims(platform.db, [second.id], platform.now());
  expect(claims.get(second.id)?.staffId).toBe(aydin.id);
});

test('one that the browser gave up meanwhile, as after each quick decision, is logged as no error', async () => {
  const error = vi.spyOn(platform.log, 'error').mockImplementation(() => undefined);
  const { number } = await makeApplication(platform);
  await app.request(`/admin/ahead?list=&not=${number}`, {
    headers: { cookie: aydin.cookie },
    signal: AbortSignal.abort(),
  });
  expect(error).not.toHaveBeenCalled();
});
