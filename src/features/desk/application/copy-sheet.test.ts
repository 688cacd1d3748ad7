import { expect, test } from 'vitest';
import type { Application } from '~/features/application/store.server.ts';
import { parseZone } from '~/features/visa/passport-reader/zone.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeApplication, type ApplicationOptions } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { fillAuthorityForm } from './authority-form.server.ts';
import { assignApplication, claimHolder } from './claim.server.ts';
import { decideApplication } from './decide.server.ts';
import { openNumbers, visaRows } from './store.server.ts';
import { storeStaff } from './testing/case-store.server.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const staff = await storeStaff(platform);

const visaOf = async ({ id }: Application) => needed((await visaRows(platform.db, [id])).get(id));

async function answers({ zone = '', ...facts }: ApplicationOptions & { zone?: string } = {}) {
  const application = await makeApplication(platform, facts);
  const visa = await visaOf(application);
  const numbers = openNumbers(platform, visa);
  return fillAuthorityForm({ application, visa, numbers, zone: parseZone(zone) });
}

test('the answers stand in the order and the spelling of the authority’s form', async () => {
  const filled = await answers({ supportingDocumentNumber: 'D12345678' });
  expect(filled.map(({ field, value }) => [field, value])).toEqual([
    ['countryId', 'South Africa'],
    ['documentType', 'Ordinary Passport'],
    ['arrivalDate', '12/12/2026'],
    ['firstName', 'THABO'],
    ['lastName', 'NAIDOO'],
    ['dateOfBirth', '02/05/1984'],
    ['placeOfBirth', 'DURBAN'],
    ['motherName', 'NOMSA NAIDOO'],
    ['fatherName', 'SIPHO NAIDOO'],
    ['passportNumber', 'A01234547'],
    ['passportIssueDate', '11/01/2023'],
    ['passportExpiryDate', '10/01/2033'],
    ['email', 'thabo@example.org'],
    ['phone', '+27115550100'],
    ['address', '12 FLORIDA ROAD, DURBAN'],
    ['supportingDocumentType', 'Visa'],
    ['visaCountry', 'Schengen area'],
    ['supportingDocumentEndDate', '30/06/2027'],
    ['supportingDocumentNumber', 'D12345678'],
  ]);
  expect(filled.filter(({ read, typed, most }) => read ?? typed ?? most)).toEqual([]);
});

const marks = async (facts: Parameters<typeof answers>[0]) =>
  (await answers(facts))
    .filter(({ read, typed, most }) => read !== null || typed !== null || most !== null)
    .map(({ field: _, ...marked }) => marked);

test('what was typed with other letters is marked; of two spellings the passport’s own counts', async () => {
  const typed = { firstName: 'Jörg', lastName: 'O’Müller-Ng' };
  expect(await marks(typed)).toEqual([
    { value: 'JOERG', read: null, typed: 'Jörg', most: null },
    { value: 'OMUELLER NG', read: null, typed: 'O’Müller-Ng', most: null },
  ]);
  expect(
    await marks({ ...typed, zone: 'ZAF|OMULLER NG|JORG||A01234547|1984-05-02|2033-01-10' }),
  ).toEqual([
    { value: 'JORG', read: null, typed: 'Jörg', most: null },
    { value: 'OMULLER NG', read: null, typed: 'O’Müller-Ng', most: null },
  ]);
});

test('what differs from the passport’s lines is marked, and so is what the form has no room for', async () => {
  expect(
    await marks({
      firstName: 'Thandi',
      email: `${'thabo'.repeat(7)}@example.org`,
      zone: 'D|NAIDOO|THANDIWE||A01234541|1984-05-03|2033-01-10',
    }),
  ).toEqual([
    { value: 'South Africa', read: 'Germany', typed: null, most: null },
    { value: 'THANDI', read: 'THANDIWE', typed: null, most: null },
    { value: '02/05/1984', read: '03/05/1984', typed: null, most: null },
    { value: 'A01234547', read: 'A01234541', typed: null, most: null },
    { value: `${'thabo'.repeat(7)}@example.org`, read: null, typed: null, most: 40 },
  ]);
});

const open = ({ number }: Pick<Application, 'number'>, list = '') =>
  app.request(`/en/admin/applications/${number}/copy${list}`, {
    headers: { cookie: staff.cookie },
  });

test('opening it shows the number in full, which is recorded, and claims nothing', async () => {
  const application = await makeApplication(platform, { passportNumber: 'K70707070' });
  const response = await open(application);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('K70707070');
  const subject = { kind: 'application', id: application.id } as const;
  const entries = await auditEntriesBySubject(platform.db, subject);
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    'application_viewed',
    'numbers_revealed',
  ]);
  expect(await claimHolder(platform, staff, application.id)).toBeNull();
});

test('there is one only of what can be handed in', async () => {
  const unpaid = await makeApplication(platform, { paid: false });
  expect((await open(unpaid)).status).toBe(302);
  const insurance = await makeApplication(platform, { kind: 'insurance', service: '30-days' });
  expect((await open(insurance)).status).toBe(404);
});

test('once it was handed in, the way back leads to the application beside its list', async () => {
  const { id, number } = await makeApplication(platform);
  await decideApplication(platform, staff, { kind: 'start_processing', applicationId: id });
  const response = await open({ number }, '?show=hand_in');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe(
    `/en/admin/applications/${number}?show=hand_in#application`,
  );
});

test('opening the next one lets go of what was handed in, but keeps what was assigned', async () => {
  const free = await makeApplication(platform);
  const assigned = await makeApplication(platform);
  await assignApplication(platform, staff, { applicationId: assigned.id, to: staff.id, note: '' });
  for (const { number } of [free, assigned]) {
    const body = new URLSearchParams({
      intent: 'start_processing',
      seen: 'pending',
      after: 'next',
    });
    const response = await app.request(`/admin/applications/${number}`, {
      method: 'POST',
      headers: { cookie: staff.cookie },
      body,
    });
    expect(response.status).toBe(302);
  }
  expect(await claimHolder(platform, staff, free.id)).toBeNull();
  expect(await claimHolder(platform, staff, assigned.id)).toMatchObject({ isAssigned: true });
});
