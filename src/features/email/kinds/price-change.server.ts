import {
  CHANGE_NOTICE_JOB,
  changeNotice,
  type ChangeNotice,
} from '~/features/settings/proposals.server.ts';
import { accountById, staffNames } from '~/features/staff/store.server.ts';
import { replacePrivacyText, type EmailContent } from '../layout/content.server.ts';
import type { JobKind, EmailWords } from './kind.server.ts';

const pages: Record<ChangeNotice['section'], string> = {
  visa_prices: '/admin/settings/prices',
  plan_prices: '/admin/settings/plans',
};

/** Tells an administrator that prices are to change, or will. `name`: who did it. */
function changeNoticeEmail(
  { t, language, footer, page, reply }: EmailWords,
  { section, what }: Pick<ChangeNotice, 'section' | 'what'>,
  name: string,
): EmailContent {
  const values = { name, prices: t(`price_change.${section}`) };
  return {
    language,
    subject: t(`price_change.subject.${what}`),
    preview: t(`price_change.text.${what}`, values),
    heading: t(`price_change.subject.${what}`),
    greeting: t('greetingNobody'),
    paragraphs: [t(`price_change.text.${what}`, values)],
    numbers: null,
    button: { label: t('price_change.button'), href: page(pages[section]) },
    note: t('price_change.note'),
    sections: [],
    closing: [reply, t('team')],
    footer: replacePrivacyText(footer, t('price_change.privacy')),
  };
}

export const priceChange: JobKind = {
  jobs: {
    /** Nothing to somebody who is no longer an administrator. */
    [CHANGE_NOTICE_JOB]: async ({ db }, payload) => {
      const notice = changeNotice.parse(payload);
      const { what, section, change, by, language } = notice;
      const account = await accountById(db, notice.accountId);
      if (!account?.active || account.role !== 'administrator') return null;
      const about = [what, section, change, account.id].join(':');
      const write = async (words: EmailWords) =>
        changeNoticeEmail(words, notice, (await staffNames(db, [by])).get(by) ?? '?');
      return { about, to: account.email, language, write };
    },
  },
};
