import { withOperator } from '~/features/settings/operator.server.ts';
import { describe, expect, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { goodPdf, storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { upload } from '~/features/desk/application/uploads.server.ts';
import { queueEmail } from './ledger/queue.server.ts';
import type { Message } from '~/platform/mail/mail.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';
import { wordsFor } from './kinds/words.server.ts';
import { secretLinkEmail } from './kinds/secret-link.server.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform();
const jobs = emailJobs(platform);
const staff = await storeStaff(platform);

async function sent(): Promise<Message> {
  platform.sent.length = 0;
  await platform.runJobs(jobs);
  expect(platform.sent).toHaveLength(1);
  const [message] = platform.sent;
  if (!message) throw new Error('Nothing was sent');
  return message;
}

const paid = (about: string) =>
  platform.db.transaction((tx) =>
    queueEmail(tx, { kind: 'received', about, createdAt: platform.now() }),
  );

const hrefs = (html: string) =>
  [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

describe('received and paid', () => {
  test('says what was bought, the promised moment in two zones, and where to follow it', async () => {
    const { number } = await makeApplication(platform, {
      promisedAt: new Date('2026-11-26T13:20:00Z'),
    });
    await paid(number);
    const { text, html, subject, to } = await sent();
    expect(to).toBe('thabo@example.org');
    expect(subject).toMatch(/^We’ve received your application: TRV /);
    expect(text).toContain('Thursday 26 November 2026, 13:20 UTC (16:20 in Türkiye)');
    expect(text).toContain('E-visa fee: $69.00');
    expect(text).toContain('Processing: standard: $25.00');
    expect(text).toContain('Total paid: $94.00');
    expect(hrefs(html)).toContain(`${platform.config.publicUrl}/en/status?ref=${number}`);
  });

  test('is not written for an order that is not paid', async () => {
    const { number } = await makeApplication(platform, { paid: false });
    await paid(number);
    platform.sent.length = 0;
    await platform.runJobs(emailJobs(platform));
    expect(platform.sent).toEqual([]);
  });
});

describe('approved', () => {
  test('links to the download and masks the passport', async () => {
    const { id } = await makeApplication(platform);
    const file = await upload(platform, staff, goodPdf());
    if (!file.ok) throw new Error(file.error);
    await decide(platform, staff, { kind: 'approve', applicationId: id, fileId: file.value.id });
    const { text, html, attachments = [] } = await sent();
    expect(attachments).toEqual([]);
    expect(text).toContain('up to 30 days, within 180 days from 12 December 2026');
    expect(text).toContain('A0•••••47');
    expect(html + text).not.toContain('A01234547');
    expect(text).toContain('you may also be asked for your return ticket');
    expect(hrefs(html).filter((href) => href.includes('/en/download?token='))).toHaveLength(1);
  });

  test('without a document says that it follows and leads to the status page', async () => {
    const { id, number } = await makeApplication(platform);
    await decide(platform, staff, { kind: 'approve', applicationId: id });
    const { text } = await sent();
    expect(text).toContain('The document is not available yet.');
    expect(text).toContain(`/en/status?ref=${number}`);
    expect(text).not.toContain('/download');
  });
});

describe('rejected', () => {
  test('carries the reason as it was written', async () => {
    const { id } = await makeApplication(platform);
    await decide(platform, staff, {
      kind: 'reject',
      applicationId: id,
      reason: 'Page 2 is <missing>\nSend it',
    });
    const { text, html } = await sent();
    expect(text).toContain('Page 2 is <missing>\nSend it');
    expect(html).toContain('Page 2 is &lt;missing&gt;');
    expect(hrefs(html)).toContain(`${platform.config.publicUrl}/en/refund`);
    expect(text).toContain('Your refund is $25.00');
    expect(text).toMatch(/You can apply directly at https:\/\/www\.evisa\.gov\.tr\/\S*\.\n/);
  });

  test('says a reason from the list in the traveller’s language, words as they were written', async () => {
    const { id } = await makeApplication(platform, { language: 'fr' });
    const asked = { applicationId: id, code: 'duplicate' as const, reason: 'Siehe oben' };
    await decide(platform, staff, { kind: 'reject', ...asked });
    const { text } = await sent();
    expect(text).toContain('Il existe une autre demande pour le même voyage.');
    expect(text).toContain('Siehe oben');
    const silent = await makeApplication(platform, { language: 'de' });
    await decide(platform, staff, { kind: 'reject', applicationId: silent.id, code: 'duplicate' });
    expect((await sent()).text).not.toContain('Nachricht unseres Teams');
  });
});

describe('an e-mail about no application', () => {
  const kinds = ['resume', 'invitation', 'password_reset'] as const;

  test.each(kinds)('%s says why it came, and speaks of no copy: none is kept', async (kind) => {
    const operated = await withOperator(platform);
    const privacyTexts = languages.map(({ code }) => {
      const words = wordsFor(operated, code);
      const { text } = secretLinkEmail(words, kind, { url: 'https://lale.example/', count: 7 })
        .footer.privacy;
      expect(text).not.toBe(words.footer.privacy.text);
      return text;
    });
    expect(new Set(privacyTexts).size).toBe(languages.length);
    expect(privacyTexts[0]).not.toMatch(/copy/);
  });
});

describe('every e-mail', () => {
  test.each(languages.map(({ code, direction }) => [code, direction] as const))(
    'in %s runs %s, shows pictures of ours only and no placeholder of a text',
    async (language, direction) => {
      const { id } = await makeApplication(platform, { language });
      await decide(platform, staff, { kind: 'approve', applicationId: id });
      const { html, text, language: tag } = await sent();
      expect(tag).toBe(language);
      expect(html).toContain(`<html dir="${direction}" lang="${language}">`);
      const logo = /<td[^>]*dir="ltr"[^>]*style="([^"]*)"/.exec(html)?.[1];
      expect(logo).toContain(`text-align:${direction === 'rtl' ? 'right' : 'left'}`);
      const pictures = [...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => src);
      expect(pictures).toHaveLength(3);
      for (const src of pictures) {
        expect(src).toMatch(new RegExp(`^${platform.config.publicUrl}/email/[\\w-]+\\.png$`));
      }
      expect(html + text).not.toMatch(/\{\{|undefined|NaN|\bemail:/);
      expect(html).toContain('prefers-color-scheme:dark');
      for (const href of hrefs(html)) expect(URL.canParse(href)).toBe(true);
    },
  );
});
