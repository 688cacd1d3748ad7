import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import { formatNumber } from '~/features/application/number.ts';
import type { Recipient } from '~/features/application/recipient.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { EmailContent } from '~/features/email/layout/content.ts';
import { whyYou } from './decided-email.server.ts';
import type { Words } from './email-words.server.ts';

/** Asks the traveller to correct some answers, or reminds of it. `labels`: the reopened fields in the content's language. */
export function correctionEmail(
  { t, language, footer, reply }: Words,
  {
    application: { number },
    recipient,
    labels,
    note,
    url,
    until,
    isReminder,
  }: {
    application: Application;
    recipient: Recipient;
    labels: string[];
    note: string;
    url: string;
    until: Date;
    isReminder: boolean;
  },
): EmailContent {
  const date = formatDate(dateOf(until, UTC), language);
  const name = recipient.onBehalfOf;
  const written = formatNumber(number);
  return {
    language,
    subject:
      name === null
        ? t(isReminder ? 'correction.reminder' : 'correction.subject', { number: written })
        : t('member.subject', {
            what: t(isReminder ? 'member.reminder' : 'member.correction', { name }),
            number: written,
          }),
    preview: t('correction.preview'),
    heading: name === null ? t('correction.heading') : t('member.correction', { name }),
    greeting: t('greeting', { name: recipient.name }),
    paragraphs: [
      ...(isReminder ? [t('correction.still')] : []),
      name === null ? t('correction.text') : t('member.correctionText', { name }),
      t('correction.until', { date }),
    ],
    numbers: { label: t('number', { count: 1 }), values: [written] },
    button: { label: t('correction.button'), href: url },
    note: t('correction.note', { date }),
    sections: [
      { kind: 'quote', title: t('correction.words'), text: note },
      { kind: 'list', title: t('correction.fields'), items: labels },
    ],
    closing: [...whyYou({ t }, recipient), reply, t('team')],
    footer,
  };
}
