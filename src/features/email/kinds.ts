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
] as const;
export type EmailKind = (typeof emailKinds)[number];
