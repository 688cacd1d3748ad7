import { isMissed, runningPromise } from '~/features/application/promised.ts';
import { reportLate } from '~/features/status/report-late-store.server.ts';
import { reachesPayer } from '~/features/application/recipient.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { PAYER_LINK_DAYS } from '~/features/order/payer/payer-links.ts';
import { payerLink } from '~/features/order/payer/payer.server.ts';
import { returnedByApplication } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  travellerEmail,
  type ApplicationKind,
  aboutApplication,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/**
 * The promised moment has passed without a decision. `payerLink`: for the payer, who may have the processing price
 * refunded; null for everybody else, and where nothing is left to refund.
 */
export function lateEmail(
  words: EmailWords,
  {
    promisedAt,
    payerLink,
    ...late
  }: EmailSubject & {
    promisedAt: Date;
    payerLink: string | null;
  },
): EmailContent {
  const { t, moment, language } = words;
  const { statusPage, written, other, ...shared } = aboutApplication(words, late);
  const link = makeTranslate(language, 'application')('late.link');
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

/** The promised moment has passed. Subject: the application's id. */
export const late: ApplicationKind = {
  recurring: { cron: '*/10 * * * *', name: 'application.report_late', run: reportLate },
  /** Nothing where it was decided before the job ran, or the traveller is waited for. */
  find: async (platform, id) => {
    const { db } = platform;
    const application = await applicationById(db, id);
    const promisedAt = application && runningPromise(application);
    if (!promisedAt || application.decidedAt || !isMissed(application, platform.now())) return null;
    const order = await orderByNumber(db, application.orderNumber);
    if (!order) return null;
    return travellerEmail(platform, application, async (words, about) => {
      const isRefundable =
        application.kind === 'visa' &&
        reachesPayer(application, order) &&
        !(await returnedByApplication(db, [application.number])).has(application.number);
      const link = isRefundable ? payerLink(platform, order) : null;
      return lateEmail(words, { ...about, promisedAt, payerLink: link });
    });
  },
};
