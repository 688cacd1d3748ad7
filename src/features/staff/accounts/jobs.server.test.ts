import { expect, test } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { audit } from '../audit.server.ts';
import { deleteExpiredOfStaff } from './jobs.server.ts';
import { auditEntriesOf } from '../store.server.ts';

const platform = await makeTestPlatform({ now: new Date('2021-01-10T10:00:00Z') });

test('audit rows are kept a year, by whole days, not longer', async () => {
  const subject = { kind: 'account', id: 'x' } as const;
  const row = { staffId: null, action: 'signed_in', subject } as const;
  await audit(platform.db, { ...row, at: new Date('2020-01-09T23:59:00Z') });
  await audit(platform.db, { ...row, at: new Date('2020-01-10T00:01:00Z') });
  await deleteExpiredOfStaff(platform);
  expect(await auditEntriesOf(platform.db, subject)).toMatchObject([
    { at: new Date('2020-01-10T00:01:00Z') },
  ]);
});
