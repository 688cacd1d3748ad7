import { formatMoney, usd } from '~/base/money.ts';
import { formatNumber } from '~/base/format-number.ts';
import type { Application } from '~/features/application/store.server.ts';
import { areSeveral, byTraveller, sharedPromise } from '~/features/application/travellers.ts';
import type { EmailContent, Row, Section } from '../layout/content.ts';
import type { OrderLine } from '~/features/order/order-lines-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Words } from './words.server.ts';
import { fullName } from '~/features/application/full-name.ts';

const NO_BREAK = '\u00a0';

/** The numbers in the box: for several travellers the order's number alone, as the list below names the others. */
export function orderNumbers(
  { t }: Words,
  order: Pick<Order, 'number'>,
  applications: readonly Application[],
): EmailContent['numbers'] {
  if (areSeveral(applications)) {
    return { label: t('received.order'), values: [formatNumber(order.number)] };
  }
  const numbers = applications.map(({ number }) => formatNumber(number));
  return { label: t('number', { count: numbers.length }), values: numbers };
}

/** The travellers with their numbers, and their promised moments where these differ. Empty for one traveller. */
export function travellersList(words: Words, applications: readonly Application[]): Section[] {
  if (!areSeveral(applications)) return [];
  const { t, moment } = words;
  const kinds = textsIn(words.language, 'application');
  const isShared = sharedPromise(applications) !== null;
  const items = byTraveller(applications).flatMap(({ applications: own }) =>
    own.map((one) => {
      const { kind, number, promisedAt } = one;
      const named = {
        name: fullName(one),
        what: kinds(`kind.${kind}`),
        // No-break spaces keep a number on one line.
        number: formatNumber(number).replaceAll(' ', NO_BREAK),
      };
      const isSharedPromise = kind === 'visa' && isShared;
      if (!promisedAt || isSharedPromise) return t('several.item', named);
      return kind === 'visa'
        ? t('several.itemReady', { ...named, promise: moment(promisedAt) })
        : t('several.itemReadyInsurance', { ...named, moment: moment(promisedAt) });
    }),
  );
  return [{ kind: 'list', title: t('several.list'), items }];
}

/** What an order costs, line by line; for several travellers a sum for each, with the lines below the name. */
export function orderRows(
  words: Words,
  lines: readonly OrderLine[],
  applications: readonly Application[],
): Row[] {
  if (!areSeveral(applications)) return lines.map(words.row);
  return byTraveller(applications).flatMap(({ applications: own }) => {
    const numbers = new Set(own.map(({ number }) => number));
    const theirs = lines.filter(({ applicationNumber }) => numbers.has(applicationNumber));
    const [first] = own;
    if (!first || theirs.length === 0) return [];
    const sum = theirs.reduce((all, { amountMinor }) => all + amountMinor, 0);
    const parts = theirs.map((line) => {
      const { label, value } = words.row(line);
      return words.t('several.line', { what: label, amount: value });
    });
    return [
      {
        label: fullName(first),
        value: formatMoney(usd(sum), words.language),
        note: parts.join(' · '),
      },
    ];
  });
}
