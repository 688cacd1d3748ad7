import { staffRoles, type StaffRole } from '~/base/staff-roles.ts';

export const roles = staffRoles;
export type Role = StaffRole;

const everybody: readonly Role[] = roles;

/** The actions of staff and the roles allowed to do them, for pages and calls. */
const allowed = {
  view_applications: everybody,
  /** The four figures above the queue, which include total revenue, and those of a period but for its money. */
  view_statistics: everybody,
  /** Revenue of a period by its steps. */
  view_revenue: ['manager', 'administrator'],
  /** A file of all applications of a period with their amounts, which add up to the revenue. */
  export_applications: ['manager', 'administrator'],
  /** Promises kept, what each of the staff decided and how long it took, and what falls due. */
  view_work: ['manager', 'administrator'],
  /** Say of a colleague's decision whether it was right. */
  second_look: ['manager', 'administrator'],
  /** See a passport or supporting document number in full. */
  reveal_numbers: everybody,
  start_processing: everybody,
  approve: everybody,
  reject: everybody,
  attach_document: everybody,
  /** Reopen fields to the traveller, and withdraw that. */
  ask_correction: everybody,
  /** Give an application to a colleague or to oneself. */
  assign: everybody,
  /** List a view of the queue for everybody, and take it back. */
  share_view: ['manager', 'administrator'],
  /** Write notes on an application, and correct one's own within ten minutes. */
  write_note: everybody,
  /** Strike anybody's note, with a reason. */
  strike_note: ['manager', 'administrator'],
  /** Dismiss a possible duplicate, with a reason. */
  dismiss_duplicate: everybody,
  /** Write an email to the traveller of an application. */
  write_message: everybody,
  /** Send an e-mail about an application again. */
  resend_email: everybody,
  /** Correct a traveller's mistyped email address, with a reason. */
  correct_email: everybody,
  /** Replace a document that the traveller may have already. */
  replace_document: ['manager', 'administrator'],
  /** Refund; above the configured sum it waits for a release. */
  refund: everybody,
  /** Release refunds that others asked for, and refund any sum. */
  release_refund: ['manager', 'administrator'],
  /** Read the emails stored in test mode, with the links to others' accounts and orders in them. */
  view_outbox: ['administrator'],
  /** Payment attempts of all orders, alerts about money, money by partner, where the books differ. */
  view_payments: ['manager', 'administrator'],
  /** A file of every payment and refund of a period, for bookkeeping. */
  export_ledger: ['manager', 'administrator'],
  /** Resolve alerts, and have a day compared again. */
  resolve_alerts: ['manager', 'administrator'],
  /** Enter days on which the office is closed, and see that holidays are missing. */
  close_days: ['manager', 'administrator'],
  /** Say how long the authority may have an application before staff ask about it. */
  set_chase: ['manager', 'administrator'],
  /** Change the texts that travellers get about rejections and corrections. */
  edit_templates: ['manager', 'administrator'],
  /** Search, export and verify the audit trail. */
  view_audit: ['administrator'],
  /** The payment lab in live mode, accounts, settings, requests about personal data and legal holds. */
  administer: ['administrator'],
} as const satisfies Record<string, readonly Role[]>;

export type StaffAction = keyof typeof allowed;

export const staffActions = Object.keys(allowed) as StaffAction[];

export const rolesThatMay = (action: StaffAction): readonly Role[] => allowed[action];

export function may(role: Role, action: StaffAction): boolean {
  return rolesThatMay(action).includes(role);
}
