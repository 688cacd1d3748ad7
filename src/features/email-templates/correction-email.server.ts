import { dateOf, formatDate, UTC } from '~/base/dates/dates.ts';
import { formatNumber } from '~/features/application/number.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { EmailContent } from '~/features/email/layout/content.ts';
import type { Words } from './email-words.server.ts';

/** Asks the traveller to correct some answers, or reminds of it. `labels`: the reopened fields in the content's language. */
export function correctionEmail(
  { t, language, footer, reply }: Words,
  {
    application: { firstName, lastName, number },
    labels,
    note,
    url,
    until,
    isReminder,
  }: {
    application: Application;
    labels: string[];
    note: string;
    url: string;
    until: Date;
    isReminder: boolean;
  },
): EmailContent {
  const date = formatDate(dateOf(until, UTC), language);
  return {
    language,
    subject: t(isReminder ? 'correction.reminder' : 'correction.subject', {
      number: formatNumber(number),
    }),
    preview: t('correction.preview'),
    heading: t('correction.heading'),
    greeting: t('greeting', { name: `${firstName} ${lastName}` }),
    paragraphs: [
      ...(isReminder ? [t('correction.still')] : []),
      t('correction.text'),
      t('correction.until', { date }),
    ],
    numbers: { label: t('number', { count: 1 }), values: [formatNumber(number)] },
    button: { label: t('correction.button'), href: url },
    note: t('correction.note', { date }),
    sections: [
      { kind: 'quote', title: t('correction.words'), text: note },
      { kind: 'list', title: t('correction.fields'), items: labels },
    ],
    closing: [reply, t('team')],
    footer,
  };
}
