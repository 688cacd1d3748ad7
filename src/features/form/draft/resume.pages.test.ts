import { beforeAll, expect, test } from 'vitest';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { adultForm, formRequest, visitor } from '~/features/insurance/testing/visit.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform();
const browser = visitor(makeTestApp(platform));

beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

test('who was sent the link learns who began the form, and alone goes on with it', async () => {
  const stranger = browser();
  const typed = { ...adultForm, passportNumber: '', email: 'stranger@evil.example' };
  const later = { intent: 'later', saveEmail: 'victim@traveller.example' };
  const saved = await stranger('/insurance', formRequest({ ...typed, ...later }));
  expect(saved.location).toBe('/insurance/saved');
  await platform.runJobs(emailJobs(platform));
  const [mail] = platform.sent;
  expect(mail?.text).toContain('Someone began an application and entered your email address');
  expect(mail?.text).toMatch(/Answered so far: .*Email address/);
  expect(mail?.text).not.toContain('stranger@evil.example');
  const path = /\/insurance\/resume\/[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '';

  const victim = browser();
  const shown = await victim(path);
  expect(shown.html).toContain('stranger@evil.example');
  expect((await victim(path, { method: 'POST' })).location).toBe('/insurance');
  await victim('/insurance/keep', formRequest({ ...adultForm, page: 'victim', version: '9' }));
  expect((await victim('/insurance')).html).toContain('G38215640');

  // Whatever the stranger's browser asks for: it has lost the draft, also for what is saved while typing.
  await stranger('/insurance/keep', formRequest({ ...typed, passportNumber: 'X', version: '99' }));
  for (const place of ['/insurance', '/insurance/review', '/insurance?country=MEX']) {
    expect((await stranger(place)).location).toBe('/insurance/saved');
  }
  const { html } = await stranger('/insurance/saved');
  expect(html).toContain('This application continues on another device');
  expect(html).not.toContain('G38215640');
  expect((await victim('/insurance')).html).toContain('G38215640');

  const anew = await stranger('/insurance/saved', formRequest({}));
  expect(anew.location).toBe('/insurance');
  expect((await stranger('/insurance')).response.status).toBe(200);
});
