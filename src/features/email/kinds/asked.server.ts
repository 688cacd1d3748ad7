import { addDays, dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import { BIRTH_DATE_TRIES_MONTH } from '~/features/application/status/status-view.ts';
import type { EmailContent } from '../layout/content.ts';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/receipt-link.server.ts';
import { about, type Decided } from './approved.server.ts';
import type { Words } from './words.server.ts';

type About = Pick<Decided, 'application' | 'recipient'>;

/** The link to a copy of all answers, which somebody asked for on the status page. */
export function copyEmail(words: Words, of: About, link: string): EmailContent {
  const { t } = words;
  const { statusPage: _page, written, other: _other, ...shared } = about(words, of);
  return {
    ...shared,
    subject: t('copy.subject', { number: written }),
    preview: t('copy.preview'),
    heading: t('copy.heading'),
    paragraphs: [t('copy.text')],
    button: { label: t('copy.button'), href: link },
    note: t('approved.note', { count: MAIL_LINK_DAYS }),
    sections: [],
  };
}

/** Too many wrong dates of birth by `at`; `download` opens the document, null while there is none. */
export function dateLockedEmail(
  words: Words,
  of: About,
  at: Date,
  download: string | null,
): EmailContent {
  const { t, language } = words;
  const { statusPage, written, other: _other, ...shared } = about(words, of);
  const isVisa = of.application.kind === 'visa';
  const date = formatDate(addDays(dateOf(at, UTC), 30), language);
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
