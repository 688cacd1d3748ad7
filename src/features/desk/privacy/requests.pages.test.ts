import { expect, test } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { caseById } from './case-store.server.ts';
import { formatNumber } from '~/base/format-number.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
await seedAll(platform.db, seeders, platform.now());
const app = makeTestApp(platform);
const { cookie } = await storeStaff(platform, { role: 'administrator' });

const get = async (path: string) => (await app.request(path, { headers: { cookie } })).text();
const post = (path: string, fields: [string, string][]) =>
  app.request(path, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });

const arrived = [
  ['arrivedOn-day', '20'],
  ['arrivedOn-month', '10'],
  ['arrivedOn-year', '2026'],
] satisfies [string, string][];

async function record(fields: [string, string][]) {
  const answer = await post('/admin/privacy', [
    ['kind', 'access'],
    ['language', 'en'],
    ...arrived,
    ...fields,
  ]);
  return { answer, path: answer.headers.get('location') ?? '' };
}

test('a request is recorded, listed as overdue, and leads to what it is about', async () => {
  const mine = await makeApplication(platform, { email: 'mine@example.org' });
  const { path } = await record([['email', 'mine@example.org']]);
  expect(path).toMatch(/^\/admin\/privacy\/[\w-]{36}\?done=opened$/);
  expect(await get('/admin/privacy')).toContain('Overdue, days: 4');
  const page = await get(path);
  expect(page).toContain('The request was recorded.');
  expect(page).toContain(`application:${mine.id}`);
});

test('without anything to find a person by, what was typed stays beside the error', async () => {
  const { answer } = await record([['arrivedOn-day', '20']]);
  expect(answer.status).toBe(422);
  const html = await answer.text();
  expect(html).toContain('Enter a number, an email address or a passport number');
  expect(html).toMatch(/name="kind"[^>]*checked[^>]*value="access"|value="access"[^>]*checked/);
});

test('all that is missing is said at once, above the form and at each field', async () => {
  const answer = await post('/admin/privacy', [
    ['language', 'en'],
    ['passport', 'N12345678'],
  ]);
  const html = await answer.text();
  for (const [field, message] of [
    ['kind', 'Choose the type of request'],
    ['arrivedOn', 'Enter the day of arrival, today at the latest'],
  ]) {
    expect(html).toMatch(new RegExp(`href="#${field}">${message}<`));
    expect(html).toMatch(new RegExp(`id="${field}-error"`));
  }
});

test('an identity check takes nothing that the page did not offer', async () => {
  const mine = await makeApplication(platform, { email: 'offered@example.org' });
  const other = await makeApplication(platform, { email: 'other@example.org' });
  const { path } = await record([['email', 'offered@example.org']]);
  const id = needed(/privacy\/([\w-]{36})/.exec(path)?.[1]);
  await post(`/admin/privacy/${id}`, [
    ['intent', 'identity'],
    ['check', 'birth_date'],
    ['own', `application:${mine.id}`],
    ['own', `application:${other.id}`],
  ]);
  const found = needed(await caseById(platform.db, platform.sealer, id));
  expect(found.chosen).toMatchObject({ applicationIds: [mine.id] });
});

test('a hold is placed and lifted', async () => {
  const { number } = await makeApplication(platform);
  const placed = await post('/admin/privacy/holds', [
    ['intent', 'place'],
    ['number', number],
    ['until-day', '1'],
    ['until-month', '2'],
    ['until-year', '2027'],
    ['why', 'A claim'],
  ]);
  expect(placed.headers.get('location')).toBe('/admin/privacy/holds?done=place');
  const page = await get('/admin/privacy/holds');
  expect(page).toContain('Until 1 February 2027');
  const hold = needed(/name="hold"[^>]*value="([\w-]{36})"/.exec(page)?.[1]);
  await post('/admin/privacy/holds', [
    ['intent', 'lift'],
    ['hold', hold],
  ]);
  expect(await get('/admin/privacy/holds')).toContain('No legal holds');
});

test('counting what retention would delete deletes nothing', async () => {
  platform.clock.set(new Date('2020-01-10T10:00:00Z'));
  const { id, number } = await makeApplication(platform, { email: 'old@example.org' });
  platform.clock.set(new Date('2026-11-23T10:00:00Z'));
  const html = await (await post('/admin/privacy/retention', [['intent', 'count']])).text();
  expect(html).toContain('Due today');
  expect(html).toContain('Applications: 1');
  expect(html).toContain(formatNumber(number));
  expect(await applicationById(platform.db, id)).not.toBeNull();
});
