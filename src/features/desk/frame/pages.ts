import type { TextKey } from '~/base/text-keys.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import type { SignalName } from './signals.ts';

/** A page of the desk in the navigation. */
export type DeskPlace = {
  readonly to: string;
  /** The text key of its name. */
  readonly key: TextKey<'desk'>;
  /** What is counted beside it. */
  readonly signals?: readonly SignalName[];
  /** Opened less often: behind “More” where there are many. None of these counts anything. */
  readonly isRare?: true;
};

/** Links that one row has room for at 900 px, in every language. */
const MOST_IN_A_ROW = 7;

/** The pages that stand in the row of links, and those behind “More”. */
export function rowOf(pages: readonly DeskPlace[]): { row: DeskPlace[]; more: DeskPlace[] } {
  const isMany = pages.length > MOST_IN_A_ROW;
  const more = pages.filter(({ isRare }) => isMany && isRare);
  return { row: pages.filter((page) => !more.includes(page)), more };
}

/** The pages that a role may open, in the order of the navigation. `outbox`: whether there is one for this person. */
export function pagesFor(role: Role, { outbox }: { outbox: boolean }): readonly DeskPlace[] {
  const seesPayments = may(role, 'view_payments');
  const all: readonly (DeskPlace & { shown: boolean })[] = [
    { to: '/admin', key: 'nav.queue', shown: true, signals: ['corrections', 'undelivered'] },
    { to: '/admin/for-you', key: 'for-you:nav', shown: true, signals: ['forYou'] },
    { to: '/admin/refunds', key: 'nav.refunds', shown: true, signals: ['refunds'] },
    { to: '/admin/payments', key: 'books:nav.payments', shown: seesPayments, signals: ['alerts'] },
    {
      to: '/admin/reconciliation',
      key: 'books:nav.reconciliation',
      shown: seesPayments,
      isRare: true,
    },
    { to: '/admin/money', key: 'books:nav.money', shown: seesPayments, isRare: true },
    {
      to: '/admin/statistics',
      key: 'statistics:nav',
      shown: may(role, 'view_statistics'),
      isRare: true,
    },
    { to: '/admin/work', key: 'work:nav', shown: may(role, 'view_work') },
    { to: '/admin/audit', key: 'books:nav.audit', shown: may(role, 'view_audit'), isRare: true },
    {
      to: '/admin/privacy',
      key: 'privacy:nav',
      shown: may(role, 'administer'),
      signals: ['requests'],
    },
    { to: '/admin/outbox', key: 'nav.outbox', shown: outbox, isRare: true },
    { to: '/admin/accounts', key: 'nav.accounts', shown: may(role, 'administer'), isRare: true },
    {
      to: '/admin/settings',
      key: 'settings:nav',
      shown: may(role, 'close_days'),
      signals: ['proposals'],
    },
    { to: '/admin/account', key: 'nav.account', shown: true, isRare: true },
  ];
  return all.filter(({ shown }) => shown);
}
