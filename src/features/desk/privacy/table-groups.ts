/** Under which heading the desk counts rows of a table; texts are `privacy:group.<name>`. */
const groups = {
  applications: [
    'application',
    'visa_application',
    'insurance_application',
    'application_event',
    'application_earlier_passport',
    'desk_claim',
    'desk_look',
    'legal_hold',
  ],
  documents: ['application_document', 'download_link', 'insurance_photo'],
  emails: ['email', 'application_email'],
  notes: ['desk_note', 'desk_email_correction', 'desk_dismissal', 'application_correction'],
  drafts: ['draft', 'draft_device', 'draft_link', 'draft_party'],
  orders: [
    'purchase_order',
    'order_line',
    'order_cancellation',
    'order_payer_device',
    'order_refund',
    'order_refund_line',
  ],
  receipts: ['order_receipt'],
  payments: [
    'payment_attempt',
    'payment_refund',
    'payment_event',
    'payment_alert',
    'reconciliation_row',
  ],
  uploads: ['desk_upload', 'desk_draft', 'desk_decision', 'desk_pdf_batch', 'desk_pdf_batch_file'],
  staff: ['staff_session', 'staff_reset', 'staff_account_change', 'audit_entry'],
  requests: ['privacy_case', 'deletion_record', 'erased_application'],
  technical: ['idempotency_key', 'job'],
} as const;

export type TableGroup = keyof typeof groups;
export type GroupCount = { group: TableGroup; count: number };

const groupNames = Object.keys(groups) as TableGroup[];

/** The group of a table; what is in none is technical. */
export const groupOf = (table: string): TableGroup =>
  groupNames.find((name) => groups[name].some((one) => one === table)) ?? 'technical';

/** The tables of which a row is one of what the heading names; of other groups every row counts. */
const counted: Readonly<Partial<Record<TableGroup, readonly string[]>>> = {
  applications: ['application'],
  documents: ['application_document', 'insurance_photo'],
  emails: ['email'],
  drafts: ['draft'],
  orders: ['purchase_order'],
  payments: ['payment_attempt'],
};

/**
 * Counts by table as counts by group, in the order of the groups: one application is one, however many rows it has.
 * Where a group has other rows alone, these are counted; without any it is left out.
 */
export function byGroup(counts: Readonly<Record<string, number>>): GroupCount[] {
  const sums = new Map<TableGroup, { named: number; all: number }>();
  for (const [table, count] of Object.entries(counts)) {
    const group = groupOf(table);
    const sum = sums.get(group) ?? { named: 0, all: 0 };
    sum.all += count;
    if (counted[group]?.includes(table)) sum.named += count;
    sums.set(group, sum);
  }
  return groupNames.flatMap((group) => {
    const { named, all } = sums.get(group) ?? { named: 0, all: 0 };
    const count = named || all;
    return count > 0 ? [{ group, count }] : [];
  });
}
