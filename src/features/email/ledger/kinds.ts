/** The kinds of email, named after what causes them. */
export const emailKinds = [
  'numbers',
  'unpaid',
  'unpaid_reminder',
  'received',
  'approved',
  'rejected',
  'rejected_payer',
  'document',
  'resume',
  'invitation',
  'password_reset',
  'refunded',
  'correction',
  'correction_reminder',
  'paid_closed',
  'returned',
  'cancelled',
  'processing',
  'correction_ended',
  'late',
  'cancelled_traveller',
  'copy',
  'date_locked',
  'held',
  'price_change',
  'feast_ahead',
] as const;
export type EmailKind = (typeof emailKinds)[number];

/**
 * The kinds that a traveller may turn off: nothing is lost without them. Everything else always goes: payments, refunds,
 * cancellations, corrections with their reminder (without an answer the application ends) and their end, a missed promise,
 * decisions and documents.
 */
const optionalKinds: readonly EmailKind[] = ['processing', 'unpaid_reminder'];

export const isOptional = (kind: EmailKind): boolean => optionalKinds.includes(kind);
