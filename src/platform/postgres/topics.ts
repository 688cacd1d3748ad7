/** Tables of which processes keep rows in memory. A trigger on each notifies every process of a change, by its name. */
export const watchedTables = [
  'setting_change',
  'country',
  'payment_partner',
  'desk_view',
  'staff_account',
] as const;

/**
 * What processes notify one another of: a changed table, or a limit that was reset. That one is notified by the
 * statement that resets it; a trigger would fire at every request that is counted.
 */
export type Topic = (typeof watchedTables)[number] | 'rate_limit';

/** The channel of `notify`; the payload is the topic. The triggers of the migrations name it, too. */
export const CHANNEL = 'lale_invalidate';

/**
 * What a change may show on an open page of the desk. `queue`: lists, claims and counts; `case`: one application's own;
 * `money`: refunds, alerts, partners, prices; `own`: what came for somebody.
 */
export const deskKinds = ['queue', 'case', 'money', 'own'] as const;
export type DeskKind = (typeof deskKinds)[number];

/** The tables whose triggers tell open pages of a change, by its kind alone. The migrations repeat them. */
export const deskTables = {
  application: 'queue',
  application_correction: 'queue',
  desk_claim: 'queue',
  desk_upload: 'queue',
  desk_put_off: 'queue',
  case_message: 'queue',
  application_document: 'case',
  desk_note: 'case',
  email: 'case',
  payment_alert: 'money',
  payment_partner: 'money',
  payment_refund: 'money',
  setting_proposal: 'money',
  desk_for_you: 'own',
  desk_second_look: 'own',
} as const satisfies Record<string, DeskKind>;

/** The channel of those triggers; the payload is the kind. */
export const DESK_CHANNEL = 'lale_desk';
