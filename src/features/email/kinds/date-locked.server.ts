import { addDays, toPlainDate, formatDate, UTC } from '~/base/dates/dates.ts';
import { downloadAddress } from '~/features/status/download.server.ts';
import { BIRTH_DATE_TRIES_MONTH } from '~/features/status/status-view.ts';
import { applicationById, currentDocument } from '~/features/application/store.server.ts';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/issue-receipt.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/** Too many wrong dates of birth by `at`; `download` opens the document, null while there is none. */
function dateLockedEmail(
  words: EmailWords,
  of: EmailSubject,
  at: Date,
  download: string | null,
): EmailContent {
  const { t, language } = words;
  const { statusPage, written, other: _other, ...shared } = aboutApplication(words, of);
  const isVisa = of.application.kind === 'visa';
  const date = formatDate(addDays(toPlainDate(at, UTC), 30), language);
  return {
    ...shared,
    subject: t('date_locked.subject', { number: written }),
    preview: t('date_locked.preview'),
    heading: t('date_locked.heading'),
    paragraphs: [
      t('date_locked.text', { tries: BIRTH_DATE_TRIES_MONTH, date }),
      t('date_locked.own'),
    ],
    button: download
      ? { label: t(isVisa ? 'approved.button' : 'approved.buttonInsurance'), href: download }
      : { label: t('approved.buttonStatus'), href: statusPage },
    note: download ? t('approved.note', { count: MAIL_LINK_DAYS }) : null,
    sections: [],
  };
}

/** Subject: the application's id. */
export const dateLocked: ApplicationKind = {
  find: async (platform, id) => {
    const application = await applicationById(platform.db, id);
    if (!application) return null;
    return travellerEmail(platform, application, async (words, about) => {
      const file = await currentDocument(platform.db, id);
      const download = file ? downloadAddress(platform, application) : null;
      return dateLockedEmail(words, about, platform.now(), download);
    });
  },
};
