import { formatMoney, usd } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import { recipientOf } from '~/features/application/recipient.ts';
import { rejectionOf } from '~/features/application/rejection.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { EmailContent, Section } from '../layout/content.ts';
import type { RejectionRefund } from '~/features/cancellation/rejection-refund.server.ts';
import { PAYER_LINK_DAYS } from '~/features/order/payer/payer-link-days.ts';
import { about, whyYou, type Decided } from './approved.server.ts';
import type { Words } from './words.server.ts';
import { orderRows } from './travellers-of-order.server.ts';
import type { UnpaidRejection } from './unpaid-rejection.server.ts';
import { fullName } from '~/features/application/full-name.ts';

type Rejected = Pick<Decided, 'application' | 'recipient'>;

/** `unpaid`: the order was not paid, so nothing is refunded; `refund`: what is, where it was. */
export type RejectionMoney = { unpaid: UnpaidRejection | null; refund: RejectionRefund | null };

/**
 * Rejected, with who decided, the reason in the traveller's language, the reviewer's words as written, and what is
 * refunded.
 */
function rejectedEmail(
  words: Words,
  rejected: Rejected,
  { unpaid, refund }: RejectionMoney,
): EmailContent {
  const { t } = words;
  const { application, recipient } = rejected;
  const isVisa = application.kind === 'visa';
  const { statusPage, written, other, ...shared } = about(words, rejected);
  const name = { name: other };
  return {
    ...shared,
    subject:
      other === null
        ? t('rejected.subject', { number: written })
        : t('member.subject', { what: t('member.about', name), number: written }),
    preview: t('rejected.preview'),
    heading: other === null ? t('rejected.heading') : t('member.rejected', name),
    paragraphs: [
      other === null
        ? t(isVisa ? 'rejected.text' : 'rejected.textInsurance')
        : t(isVisa ? 'rejected.textOf' : 'rejected.textOfInsurance', name),
      ...(isVisa && refund ? whoDecided(words, refund) : []),
    ],
    button: { label: t('rejected.button'), href: statusPage },
    note: null,
    sections: [
      ...why(words, application),
      next(words, [
        ...(unpaid?.isPayers ? [t('rejected.notCharged')] : []),
        ...(refund ? [isVisa ? refunded(words, refund) : t('rejected.refundInsurance')] : []),
      ]),
    ],
    closing: [...whyYou(words, recipient), t('team')],
  };
}

const whoDecided = ({ t }: Words, { by }: RejectionRefund): string[] =>
  by === 'traveller' ? [] : [t(by === 'team' ? 'rejected.byTeam' : 'rejected.byAuthorities')];

/** What is refunded of a visa, and why. */
function refunded({ t, language, page }: Words, { by, total }: RejectionRefund): string {
  const facts = { amount: formatMoney(total, language), url: page('/refund') };
  if (total.minor > 0) return t('rejected.back', facts);
  return t(by === 'authorities' ? 'rejected.nothingAuthorities' : 'rejected.nothingTeam', facts);
}

/**
 * The email to a traveller whose application was rejected; where they are the payer of an unpaid order, it also says
 * what is due.
 */
export const rejectionEmail = (
  words: Words,
  rejected: Rejected,
  money: RejectionMoney,
  link: string,
): EmailContent =>
  money.unpaid?.isPayers && money.unpaid.isOfSeveral
    ? rejectedPayerEmail(words, rejected.application, money.unpaid, link)
    : rejectedEmail(words, rejected, money);

/**
 * Tells the payer of an unpaid order which application was rejected and why, and what is due now, with `link` to the
 * payment. Null where nothing is due: the order is closed, or the rest is paid by now.
 */
export function rejectedPayerEmail(
  words: Words,
  application: Application,
  unpaid: UnpaidRejection,
  link: string,
): EmailContent {
  const { t, language } = words;
  const { order, endsToo, due, together } = unpaid;
  const recipient = recipientOf(application, order);
  const { statusPage, written, other: _, ...shared } = about(words, { application, recipient });
  const name = fullName(application);
  const amount = due && formatMoney(usd(due.amountMinor), language);
  const gone = [application, ...(endsToo ? [endsToo] : [])];
  const after = due
    ? [t('rejected.left'), t('rejected.dueNow', { amount }), t('rejected.oldPayment')]
    : order.closedAt
      ? [t('rejected.nobodyLeft')]
      : [];
  return {
    ...shared,
    greeting: t('greeting', { name: order.customerName }),
    subject: t('member.subject', { what: t('member.about', { name }), number: written }),
    preview: amount ? t('rejected.previewDue', { amount }) : t('rejected.preview'),
    heading: t('rejected.headingOne'),
    paragraphs: [
      t(application.kind === 'visa' ? 'rejected.textOf' : 'rejected.textOfInsurance', { name }),
      ...(endsToo ? [t('rejected.insuranceToo', { name })] : []),
      ...after,
    ],
    numbers: {
      label: t('number', { count: gone.length }),
      values: gone.map(({ number }) => formatNumber(number)),
    },
    button: due
      ? { label: t('unpaid.button'), href: link }
      : { label: t('rejected.button'), href: statusPage },
    note: due ? t('unpaid.note', { count: PAYER_LINK_DAYS }) : null,
    sections: [
      ...why(words, application),
      ...(due && amount
        ? [
            {
              kind: 'receipt',
              title: t('unpaid.due'),
              rows: orderRows(words, due.lines, together),
              total: { label: t('unpaid.total'), value: amount },
              facts: [{ label: t('received.order'), value: order.number }],
            } as const,
          ]
        : []),
      next(words, due ? [] : [t('rejected.notCharged')]),
    ],
    closing: [t('team')],
  };
}

const next = ({ t, contact }: Words, money: readonly string[]): Section => ({
  kind: 'list',
  title: t('rejected.next'),
  items: [t('rejected.contact', { contact }), t('rejected.again'), ...money],
});

function why({ t, rejection }: Words, application: Application): Section[] {
  const given = rejectionOf(application);
  if (!given) return [];
  const { words } = given;
  const own = { kind: 'quote', text: words ?? '' } as const;
  const reason = rejection(application);
  if (reason === null) return words === null ? [] : [{ ...own, title: t('rejected.reason') }];
  const listed = { kind: 'list', title: t('rejected.reason'), items: [reason] } as const;
  return words === null ? [listed] : [listed, { ...own, title: t('correction.words') }];
}
