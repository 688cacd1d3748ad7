import { describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { insuranceJobs } from '~/features/insurance/certificate/certificate-job.server.ts';
import { queueEmail } from './ledger/queue.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';
import { makeInsurance } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const jobs = { ...emailJobs(platform), ...insuranceJobs(platform) };
const staff = await storeStaff(platform);

async function sent() {
  platform.sent.length = 0;
  await platform.runJobs(jobs);
  return platform.sent.map(({ subject, text, html }) => ({ subject, text, all: text + html }));
}

async function bought(language = 'en', dateOfBirth = '2012-02-29') {
  const placed = await makeInsurance(platform, { language, dateOfBirth, paid: true });
  const received = { kind: 'received', about: placed.number, createdAt: platform.now() } as const;
  await platform.db.transaction((tx) => queueEmail(tx, received));
  return placed;
}

describe('the e-mails about an insurance', () => {
  test('tell an adult that the certificate is being made, and then where it is', async () => {
    await bought('en', '1991-07-14');
    const emails = await sent();
    const text = emails.map((email) => email.text).join('\n');
    expect(emails).toHaveLength(2);
    expect(text).toContain('preparing your insurance certificate');
    expect(text).toContain('Travel insurance, 30 days: $189.00');
    expect(text).toContain('/en/download?token=');
    expect(text).not.toContain('authorities');
  });

  test('tell a minor that a person checks first; approved, the link follows', async () => {
    const { id } = await bought();
    const [received, ...others] = await sent();
    expect(others).toEqual([]);
    expect(received?.text).toContain('one of our team will check the application first');
    expect(received?.text).toContain('we’ll issue your certificate by');
    await decide(platform, staff, { kind: 'approve', applicationId: id });
    const [approved] = await sent();
    expect(approved?.subject).toMatch(/^Your insurance is approved: TRI /);
    expect(approved?.text).toContain('/en/download?token=');
  });

  test('address the parent of a child, from the receipt to the rejection', async () => {
    const { id } = await bought();
    const emails = await sent();
    await decide(platform, staff, { kind: 'reject', applicationId: id, reason: 'Not readable' });
    emails.push(...(await sent()));
    expect(emails.length).toBeGreaterThan(1);
    for (const { text } of emails) {
      expect(text).toContain('Dear parent or guardian of ');
      expect(text).not.toMatch(/Dear (?!parent)/);
    }
  });

  test.each(languageCodes)('in %s have all their words', async (language) => {
    const { id } = await bought(language);
    const emails = await sent();
    await decide(platform, staff, { kind: 'reject', applicationId: id, reason: 'Not readable' });
    emails.push(...(await sent()));
    expect(emails).toHaveLength(2);
    for (const { all } of emails) expect(all).not.toMatch(/\{\{|undefined|NaN|\b1-year|-days\b/);
  });
});
