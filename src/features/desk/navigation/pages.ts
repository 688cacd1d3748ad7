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
};

/** The pages that a role may open, in the order of the navigation. `outbox`: whether there is one for this person. */
export function pagesFor(role: Role, { outbox }: { outbox: boolean }): readonly DeskPlace[] {
  const seesPayments = may(role, 'view_payments');
  const all: readonly (DeskPlace & { shown: boolean })[] = [
    { to: '/admin', key: 'nav.queue', shown: true, signals: ['corrections', 'undelivered'] },
    { to: '/admin/for-you', key: 'for-you:nav', shown: true, signals: ['forYou'] },
    { to: '/admin/refunds', key: 'nav.refunds', shown: true, signals: ['refunds'] },
    { to: '/admin/payments', key: 'books:nav.payments', shown: seesPayments, signals: ['alerts'] },
    { to: '/admin/reconciliation', key: 'books:nav.reconciliation', shown: seesPayments },
    { to: '/admin/money', key: 'books:nav.money', shown: seesPayments },
    { to: '/admin/statistics', key: 'statistics:nav', shown: may(role, 'view_statistics') },
    { to: '/admin/work', key: 'work:nav', shown: may(role, 'view_work') },
    { to: '/admin/audit', key: 'books:nav.audit', shown: may(role, 'view_audit') },
    {
      to: '/admin/privacy',
      key: 'privacy:nav',
      shown: may(role, 'administer'),
      signals: ['requests'],
    },
    { to: '/admin/outbox', key: 'nav.outbox', shown: outbox },
    { to: '/admin/accounts', key: 'nav.accounts', shown: may(role, 'administer') },
    {
      to: '/admin/settings',
      key: 'settings:nav',
      shown: may(role, 'close_days'),
      signals: ['proposals'],
    },
    { to: '/admin/account', key: 'nav.account', shown: true },
  ];
  return all.filter(({ shown }) => shown);
}
