import { expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { addMonths, dateOf, TURKIYE } from '~/base/dates/dates.ts';
import { ENTRY_MONTHS, entryRule, lastEntryDay } from '~/features/application/entry-rule.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { goodPdf, storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { upload } from '~/features/desk/application/uploads.server.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const staff = await storeStaff(platform);
const visit = visitor(makeTestApp(platform))();
const DAY = 24 * 3600_000;
const promisedAt = new Date(platform.now().getTime() + 5 * DAY);

const plain = (text: string) => text.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');

/** Emails and pages write dates with spaces that do not break. */
const rule = (language: (typeof languageCodes)[number], issuedAt: Date) =>
  plain(entryRule(textsIn(language, 'application'), language, lastEntryDay(issuedAt)));

test('three months after the issue is the same day of the month, in Türkiye', () => {
  const issuedAt = new Date('2026-12-08T22:00:00Z');
  expect(dateOf(issuedAt, TURKIYE)).toBe('2026-12-09');
  expect(lastEntryDay(issuedAt)).toBe(addMonths(dateOf(issuedAt, TURKIYE), ENTRY_MONTHS));
  expect(lastEntryDay(issuedAt)).toBe('2027-03-09');
});

test.each(languageCodes)(
  'status page and approval email say one sentence with one date, in %s',
  async (language) => {
    const { id, number } = await makeApplication(platform, {
      supportingDocumentNumber: 'C01234567',
      language,
      promisedAt,
    });
    const page = async () => plain((await visit(`/${language}/status?ref=${number}`)).html);
    expect(await page()).toContain(rule(language, promisedAt));
    const file = await upload(platform, staff, goodPdf());
    if (!file.ok) throw new Error(file.error);
    await decide(platform, staff, { kind: 'approve', applicationId: id, fileId: file.value.id });
    const issuedAt = (await applicationById(platform.db, id))?.decidedAt;
    if (!issuedAt) throw new Error('not decided');
    platform.sent.length = 0;
    await platform.runJobs(emailJobs(platform));
    expect(plain(platform.sent.map(({ text }) => text).join())).toContain(rule(language, issuedAt));
    expect(await page()).toContain(rule(language, issuedAt));
    expect(rule(language, issuedAt)).not.toBe(rule(language, promisedAt));
  },
);

test('an e-visa without a supporting document has no such day', async () => {
  const { number } = await makeApplication(platform, { promisedAt });
  const { html } = await visit(`/status?ref=${number}`);
  expect(plain(html)).not.toContain('of the e-visa being issued');
});
