import { z } from 'zod';
import { toPlainDate, formatDate, parseDate, UTC } from '~/base/dates/dates.ts';
import { FEAST_NOTICE_DAYS, feastsWithin } from '~/base/dates/holidays.ts';
import { defaultLanguage } from '~/base/languages.ts';
import { activeAccounts, accountById } from '~/features/staff/store.server.ts';
import { may, rolesThatMay } from '~/features/staff/roles.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { replacePrivacyText, type EmailContent } from '../layout/content.server.ts';
import { isEmailStored } from '../ledger/store.server.ts';
import type { JobKind, EmailWords } from './kind.server.ts';

/** Tells whoever may close days to check them, because a feast is near. */
export function feastNoticeEmail(
  { t, language, footer, page, reply }: EmailWords,
  { feast, first }: Pick<FeastNotice, 'feast' | 'first'>,
): EmailContent {
  const day = parseDate(first);
  const values = {
    feast: makeTranslate(language, 'application')(`closedDays.${feast}`),
    date: day ? formatDate(day, language) : first,
  };
  const text = t('feast_ahead.text', values);
  return {
    language,
    subject: t('feast_ahead.subject', values),
    preview: text,
    heading: t('feast_ahead.heading'),
    greeting: t('greetingNobody'),
    paragraphs: [text],
    numbers: null,
    button: { label: t('feast_ahead.button'), href: page('/admin/settings/closed-days') },
    note: null,
    sections: [],
    closing: [reply, t('team')],
    footer: replacePrivacyText(footer, t('feast_ahead.privacy')),
  };
}

/** The job that tells one of the staff of a feast that is to come. */
const FEAST_NOTICE_JOB = 'settings.feast_notice';

/** `first`: the feast's first whole day. */
const feastNotice = z.object({
  accountId: z.uuid(),
  feast: z.enum(['ramazan', 'kurban']),
  first: z.iso.date(),
});
type FeastNotice = z.infer<typeof feastNotice>;

/** Each of the staff gets one email for each feast. */
const aboutFeast = ({ accountId, first }: FeastNotice) => `${first}:${accountId}`;

/**
 * Has everybody who may close days told of a feast that begins within `FEAST_NOTICE_DAYS`, each once; who may so only
 * later is told then. For a recurring job: the emails are unique, however often and in however many processes it runs.
 */
export async function queueFeastNotices({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<void> {
  const ahead = feastsWithin(toPlainDate(now(), UTC), FEAST_NOTICE_DAYS);
  if (ahead.length === 0) return;
  for (const { id: accountId } of await activeAccounts(db, rolesThatMay('close_days'))) {
    for (const one of ahead) {
      const notice = { ...one, accountId };
      const occasion = { kind: 'feast_ahead', about: aboutFeast(notice) } as const;
      if (await isEmailStored(db, occasion)) continue;
      await enqueue(db, FEAST_NOTICE_JOB, notice, { key: `${occasion.kind}:${occasion.about}` });
    }
  }
}

export const feastAhead: JobKind = {
  recurring: { cron: '13 7 * * *', name: 'settings.remind_feasts', run: queueFeastNotices },
  jobs: {
    /** Nothing to somebody who may no longer close days. */
    [FEAST_NOTICE_JOB]: async ({ db }, payload) => {
      const notice = feastNotice.parse(payload);
      const account = await accountById(db, notice.accountId);
      if (!account?.active || !may(account.role, 'close_days')) return null;
      return {
        about: aboutFeast(notice),
        to: account.email,
        // No language is stored of staff.
        language: defaultLanguage,
        write: (words) => feastNoticeEmail(words, notice),
      };
    },
  },
};
