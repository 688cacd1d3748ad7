import { promisedNow } from '~/features/application/calendar/promised.ts';
import type { EmailContent } from '../layout/content.ts';
import { PAYER_LINK_DAYS } from '~/features/order/payer/payer-link-days.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { about, type Decided } from './approved.server.ts';
import type { Words } from './words.server.ts';

/** The application was sent to the authorities: what happens next and by when. */
export function processingEmail(
  words: Words,
  sent: Pick<Decided, 'application' | 'recipient'>,
): EmailContent {
  const { t, moment } = words;
  const { statusPage, written, other, ...shared } = about(words, sent);
  const name = { name: other };
  const promisedAt = promisedNow(sent.application);
  return {
    ...shared,
    subject:
      other === null
        ? t('processing.subject', { number: written })
        : t('member.subject', { what: t('member.about', name), number: written }),
    preview: t('processing.preview'),
    heading: t('processing.heading'),
    paragraphs: [
      other === null ? t('processing.text') : t('processing.textOf', name),
      ...(promisedAt && other === null
        ? [t('received.ready', { promise: moment(promisedAt) })]
        : []),
    ],
    button: { label: t('received.button'), href: statusPage },
    note: null,
    sections: [],
  };
}

/**
 * The promised moment has passed without a decision. `payerLink`: for the payer, who may have the processing price
 * refunded; null for everybody else, and where nothing is left to refund.
 */
export function lateEmail(
  words: Words,
  {
    promisedAt,
    payerLink,
    ...late
  }: Pick<Decided, 'application' | 'recipient'> & {
    promisedAt: Date;
    payerLink: string | null;
  },
): EmailContent {
  const { t, moment, language } = words;
  const { statusPage, written, other, ...shared } = about(words, late);
  const link = textsIn(language, 'application')('late.link');
  return {
    ...shared,
    subject:
      other === null
        ? t('late.subject', { number: written })
        : t('member.subject', { what: t('member.about', { name: other }), number: written }),
    preview: t('late.preview'),
    heading: t('late.heading'),
    paragraphs: [
      t(`late.${late.application.kind}`, { moment: moment(promisedAt) }),
      ...(payerLink ? [t('late.refund', { link })] : []),
    ],
    button: payerLink
      ? { label: t('numbers.open'), href: payerLink }
      : { label: t('received.button'), href: statusPage },
    note: payerLink ? t('unpaid.note', { count: PAYER_LINK_DAYS }) : null,
    sections: [],
  };
}
