import { formatMoney, usd, type Money } from '~/base/money.ts';
import { isMissed, runningPromise } from '~/features/application/promised.ts';
import { refundMissedPromises } from '~/features/status/missed-promises.server.ts';
import { applicationByNumber, applicationById } from '~/features/application/store.server.ts';
import { orderRefundById } from '~/features/order/refunds/order-refund-store.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  travellerEmail,
  refundArrivalText,
  type ApplicationKind,
  aboutApplication,
  type EmailSubject,
  type EmailWords,
} from './kind.server.ts';

/** The promised moment was missed. `refund`: what goes back to the recipient; null where nothing does. */
export function lateEmail(
  words: EmailWords,
  { promisedAt, refund, ...late }: EmailSubject & { promisedAt: Date; refund: Money | null },
): EmailContent {
  const { t, moment, language } = words;
  const { statusPage, written, other, ...shared } = aboutApplication(words, late);
  const { kind, decidedAt } = late.application;
  const amount = refund && formatMoney(refund, language);
  return {
    ...shared,
    subject:
      other === null
        ? t('late.subject', { number: written })
        : t('member.subject', { what: t('member.about', { name: other }), number: written }),
    preview: amount === null ? t('late.waiting') : t('late.refund', { amount }),
    heading: t('late.heading'),
    paragraphs: [
      t(`late.${kind}`, { moment: moment(promisedAt) }),
      ...(amount === null ? [] : [t('late.refund', { amount }), refundArrivalText(words)]),
      ...(decidedAt ? [] : [t('late.waiting')]),
    ],
    button: { label: t('received.button'), href: statusPage },
    note: null,
    sections: [],
  };
}

/** The promised moment was missed. Subject: the id of the refund that the payer is told of, else the application's. */
export const late: ApplicationKind = {
  recurring: {
    cron: '*/5 * * * *',
    name: 'application.refund_missed_promises',
    run: refundMissedPromises,
  },
  /** Without a refund nothing where it was decided before the job ran, or the traveller is waited for. */
  find: async (platform, id) => {
    const { db } = platform;
    const refunded = await orderRefundById(db, id);
    const [number] = refunded?.refund.applicationNumbers ?? [];
    const application = number
      ? await applicationByNumber(db, number)
      : await applicationById(db, id);
    if (!application) return null;
    const promisedAt = refunded ? application.promisedAt : runningPromise(application);
    const isOver = application.decidedAt !== null || !isMissed(application, platform.now());
    if (!promisedAt || (isOver && !refunded)) return null;
    const refund = refunded && usd(refunded.payment.amountMinor);
    return travellerEmail(platform, application, (words, about) =>
      lateEmail(words, { ...about, promisedAt, refund }),
    );
  },
};
