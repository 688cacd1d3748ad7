import { expect, it } from 'vitest';
import { applicationById } from '~/features/application/store.server.ts';
import { parseZone } from '~/features/visa/passport-reader/zone.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { compareZone } from './detail.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const stored = await makeApplication(platform, { firstName: 'Thandi', lastName: 'Nkosi' });
const application = await applicationById(platform.db, stored.id);
const zone = parseZone('TD3|ZAF|ZAF|NKOSI|THANDIWE||A01234567|1984-05-02|');
const typed = { passportNumber: 'A01234568', passportExpiryDate: '2032-02-28', reveal: false };

it('puts what was read beside what was typed, and marks what differs', () => {
  if (!application) throw new Error('No application');
  expect(compareZone(zone, application, typed)).toEqual({
    areNamesCut: false,
    rows: [
      { field: 'lastName', typed: 'Nkosi', read: 'NKOSI', differs: false },
      { field: 'firstName', typed: 'Thandi', read: 'THANDIWE', differs: true },
      { field: 'passportNumber', typed: 'A0•••••68', read: 'A0•••••67', differs: true },
      { field: 'dateOfBirth', typed: '1984-05-02', read: '1984-05-02', differs: false },
      { field: 'passportExpiryDate', typed: '2032-02-28', read: '', differs: false },
      { field: 'countryId', typed: 'ZAF', read: 'ZAF', differs: false },
    ],
  });
});

it('has nothing to say of somebody who typed everything', () => {
  if (!application) throw new Error('No application');
  expect(compareZone(null, application, typed)).toBeNull();
});
