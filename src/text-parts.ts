/**
 * Texts reach the browser in four parts, one file a language each. What stands in no list is in `rest`: a page of the site
 * has it beside `start`, except the wizard's first step, which is where most visitors meet their first scripts.
 */
const parts = {
  start: ['ui', 'site', 'catalog', 'visa'],
  staff: ['books', 'decision', 'desk', 'dossier', 'refund', 'settings', 'staff', 'statistics'],
  lab: ['lab'],
  /** E-mails, documents, and pages without scripts. */
  server: ['notice', 'certificate', 'receipt', 'paypal-simulator'],
} as const;

export const textParts = ['start', 'rest', 'staff', 'lab'] as const;
export type TextPart = (typeof textParts)[number];

/** The part that a namespace comes in; null for texts that no browser needs. */
export function partOf(namespace: string): TextPart | null {
  for (const part of ['start', 'staff', 'lab'] as const) {
    if (parts[part].some((one) => one === namespace)) return part;
  }
  return parts.server.some((one) => one === namespace) ? null : 'rest';
}
