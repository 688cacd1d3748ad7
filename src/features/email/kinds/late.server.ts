import { formatNumber } from '~/base/format-number.ts';
import { listFormat } from '~/base/intl.ts';
import { formatMoney, usd, type Money } from '~/base/money.ts';
import { fullName } from '~/features/application/full-name.ts';
import { isMissed, runningPromise } from '~/features/application/promised.ts';
import { refundMissedPromises } from '~/features/status/missed-promises.server.ts';
import {
  applicationById,
  applicationsNumbered,
  type Application,
} from '~/features/application/store.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { orderRefundById } from '~/features/order/refunds/order-refund-store.server.ts';
import type { EmailContent } from '../layout/content.server.ts';
import {
  orderNumbers,
  payerEmail,
  statusPage,
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
  const { statusPage: href, written, other, ...shared } = aboutApplication(words, late);
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
    button: { label: t('received.button'), href },
    note: null,
    sections: [],
  };
}

/** The same for the late e-visas of a family, to its payer. */
function lateTogetherEmail(
  words: EmailWords,
  {
    order,
    applications,
    refund,
    ...late
  }: {
    greeting: string;
    order: Order;
    applications: readonly Application[];
    promisedAt: Date;
    refund: Money;
  },
): EmailContent {
  const { t, moment, language } = words;
  const amount = formatMoney(refund, language);
  const names = listFormat(language, {}).format(applications.map(fullName));
  return {
    language,
    greeting: late.greeting,
    subject: t('late.subject', { number: formatNumber(order.number) }),
    preview: t('late.refund', { amount }),
    heading: t('late.heading'),
    paragraphs: [
      t('late.several', { names, moment: moment(late.promisedAt) }),
      t('late.refund', { amount }),
      refundArrivalText(words),
      ...(applications.every(({ decidedAt }) => decidedAt) ? [] : [t('late.severalWaiting')]),
    ],
    numbers: orderNumbers(words, order, applications),
    button: { label: t('received.button'), href: statusPage(words, order) },
    note: null,
    sections: [],
    closing: [words.reply, t('team')],
    footer: words.footer,
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
    const refundedOnes = await applicationsNumbered(db, refunded?.refund.applicationNumbers ?? []);
    const told = refundedOnes.toSorted((a, b) => a.travellerPosition - b.travellerPosition);
    const application = told[0] ?? (await applicationById(db, id));
    if (!application) return null;
    const promisedAt = refunded ? application.promisedAt : runningPromise(application);
    const isOver = application.decidedAt !== null || !isMissed(application, platform.now());
    if (!promisedAt || (isOver && !refunded)) return null;
    const refund = refunded && usd(refunded.payment.amountMinor);
    const order =
      refund && told.length > 1 ? await orderByNumber(db, application.orderNumber) : null;
    if (order && refund) {
      return payerEmail(db, order, told, (words, greeting) =>
        lateTogetherEmail(words, { greeting, order, applications: told, promisedAt, refund }),
      );
    }
    return travellerEmail(platform, application, (words, about) =>
      lateEmail(words, { ...about, promisedAt, refund }),
    );
  },
};
