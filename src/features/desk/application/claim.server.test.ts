import { expect, test } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { claim, CLAIM_MS } from './claim.server.ts';
import { decide } from './decide.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const [aydin, kaya] = [
  await storeStaff(platform, { name: 'E. Aydın' }),
  await storeStaff(platform, { name: 'D. Kaya' }),
];

test('the first to open an application claims it; others see who and until when', async () => {
  const { id } = await makeApplication(platform);
  const [first, second] = await Promise.all([
    claim(platform, aydin, id),
    claim(platform, kaya, id),
  ]);
  const others = [first, second].filter(({ name }) => name !== null);
  expect(others).toHaveLength(1);
  expect(others[0]?.until).toEqual(new Date(platform.now().getTime() + CLAIM_MS));
});

test('a claim ends automatically, and opening the application begins another', async () => {
  const { id } = await makeApplication(platform);
  await claim(platform, aydin, id);
  platform.clock.advance(CLAIM_MS - 1000);
  expect((await claim(platform, kaya, id)).name).toBe('E. Aydın');
  await claim(platform, aydin, id);
  platform.clock.advance(CLAIM_MS - 1000);
  expect((await claim(platform, kaya, id)).name).toBe('E. Aydın');
  platform.clock.advance(2000);
  expect((await claim(platform, kaya, id)).name).toBeNull();
});

test('nobody decides on an application that somebody else has claimed, unless they take it over', async () => {
  const { id } = await makeApplication(platform);
  await claim(platform, aydin, id);
  const asked = { applicationId: id, reason: 'Photo' };
  expect(await decide(platform, kaya, { kind: 'reject', ...asked })).toMatchObject({
    ok: false,
    error: { code: 'claimed', name: 'E. Aydın' },
  });
  await claim(platform, kaya, id, { takeOver: true });
  expect(await decide(platform, aydin, { kind: 'approve', ...asked })).toMatchObject({
    error: { code: 'claimed' },
  });
  expect(await decide(platform, kaya, { kind: 'approve', ...asked })).toMatchObject({ ok: true });
  const trail = await auditEntriesOf(platform.db, { kind: 'application', id });
  expect(trail.map(({ action }) => action)).toContain('claim_taken_over');
});
