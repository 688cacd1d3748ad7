import { formatMoney, type Money } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { EmailContent } from '../layout/content.ts';
import type { Words } from './words.server.ts';
import { whenItArrives } from './refunded.server.ts';

export type AboutMoney = 'closedPaid' | 'paidTwice' | 'otherAmount' | 'held';

/**
 * About a payment that buys nothing, or nothing yet. `held`: its provider checks it. `closedPaid`: it came after the application was closed, and will be refunded.
 * `paidTwice`: the order was paid already; refunded. `otherAmount`: the order's amount had changed; refunded.
 */
export function lateCaptureEmail(
  words: Words,
  what: AboutMoney,
  order: Pick<Order, 'number' | 'customerName'>,
  paid: Money,
  isOfSeveral: boolean,
): EmailContent {
  const { t, language } = words;
  const amount = formatMoney(paid, language);
  const number = formatNumber(order.number);
  // The texts about a second payment name the order in any case.
  const isOrder = isOfSeveral && what === 'closedPaid';
  return {
    language,
    subject: t(`${what}.subject`, { number }),
    preview: t(`${what}.preview`, { amount }),
    heading: t(isOrder ? 'several.closedHeading' : `${what}.heading`),
    greeting: t('greeting', { name: order.customerName }),
    paragraphs: [
      t(isOrder ? 'several.closedText' : `${what}.text`, { amount }),
      t(`${what}.next`),
      ...(what === 'held' ? [] : [whenItArrives(words)]),
    ],
    numbers: {
      label: isOfSeveral ? t('received.order') : t('number', { count: 1 }),
      values: [number],
    },
    button: {
      label: t('received.button'),
      href: words.page(`/status?ref=${encodeURIComponent(order.number)}`),
    },
    note: null,
    sections: [],
    closing: [words.reply, t('team')],
    footer: words.footer,
  };
}
