import { expect, test } from 'vitest';
import { may, roles, staffActions } from './roles.ts';

/** What each role may not do; everything else is allowed. */
const forbidden = {
  reviewer: [
    'strike_note',
    'share_view',
    'view_revenue',
    'view_work',
    'export_applications',
    'replace_document',
    'release_refund',
    'view_outbox',
    'view_payments',
    'resolve_alerts',
    'export_ledger',
    'close_days',
    'edit_templates',
    'view_audit',
    'administer',
  ],
  manager: ['view_outbox', 'view_audit', 'administer'],
  administrator: [],
} as const;

test.each(roles.flatMap((role) => staffActions.map((action) => [role, action] as const)))(
  'a %s and %s',
  (role, action) => {
    const list: readonly string[] = forbidden[role];
    expect(may(role, action)).toBe(!list.includes(action));
  },
);

test('every action is allowed to somebody', () => {
  for (const action of staffActions) expect(may('administrator', action)).toBe(true);
});
