export const roles = ['reviewer', 'manager', 'administrator'] as const;
export type Role = (typeof roles)[number];

const everybody: readonly Role[] = roles;

/** What staff can do, and who may. The one table that pages and calls ask. */
const allowed = {
  view_applications: everybody,
  /** The four cards, one of them the revenue of all time, and the charts but revenue's. */
  view_statistics: everybody,
  /** Revenue day by day, and the file of it. */
  view_revenue: ['manager', 'administrator'],
  /** A file of all applications of a period, with what each cost: whoever adds it up has the revenue. */
  export_applications: ['manager', 'administrator'],
  /** See a passport or supporting document number in full. */
  reveal_numbers: everybody,
  start_processing: everybody,
  approve: everybody,
  reject: everybody,
  attach_document: everybody,
  /** Reopen fields to the traveller, and take that back. */
  ask_correction: everybody,
  /** Write notes on an application, and correct one's own in its first ten minutes. */
  write_note: everybody,
  /** Strike a note, anybody's, with a reason. */
  strike_note: ['manager', 'administrator'],
  /** Say that two applications are no duplicates, with a reason. */
  dismiss_duplicate: everybody,
  /** Send an e-mail about an application again. */
  resend_email: everybody,
  /** Correct the e-mail address that a traveller mistyped, with a reason. */
  correct_email: everybody,
  /** Exchange a document that a traveller may already have. */
  replace_document: ['manager', 'administrator'],
  /** Give money back; above the configured sum it waits for a release. */
  refund: everybody,
  /** Release what others asked for, and give back any sum. */
  release_refund: ['manager', 'administrator'],
  /** Read the e-mails kept in test mode. */
  view_outbox: ['manager', 'administrator'],
  /** Payment attempts of all orders, alerts about money, reconciliation. */
  view_payments: ['manager', 'administrator'],
  /** Say what was done about an alert; have a day compared again. */
  resolve_alerts: ['manager', 'administrator'],
  /** Enter days on which the office is closed, and see that holidays are missing. */
  close_days: ['manager', 'administrator'],
  /** Search and export the audit trail, and check that nobody changed it. */
  view_audit: ['administrator'],
  /** The payment lab in live mode, accounts, settings. */
  administer: ['administrator'],
} as const satisfies Record<string, readonly Role[]>;

export type StaffAction = keyof typeof allowed;

export const staffActions = Object.keys(allowed) as StaffAction[];

export function may(role: Role, action: StaffAction): boolean {
  const list: readonly Role[] = allowed[action];
  return list.includes(role);
}
