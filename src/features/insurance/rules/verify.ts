import type { PlainDate } from '~/base/dates/dates.ts';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';

/** The result of checking a certificate's code. */
export type Validity = 'valid' | 'not_yet' | 'expired' | 'cancelled' | 'unknown';

/** Valid on the first and last insured day and between. An insurance without approval has no certificate. */
export function validity(
  insurance: {
    status: ApplicationStatus;
    cancelledAt: Date | null;
    from: PlainDate;
    until: PlainDate;
  } | null,
  today: PlainDate,
): Validity {
  if (!insurance) return 'unknown';
  if (insurance.cancelledAt || insurance.status === 'rejected') return 'cancelled';
  if (insurance.status !== 'approved') return 'unknown';
  if (today < insurance.from) return 'not_yet';
  return today > insurance.until ? 'expired' : 'valid';
}

/** "S. H. R.": enough to compare with a document, too little to learn a name. */
export const initials = (firstName: string, lastName: string): string =>
  `${firstName} ${lastName}`
    .split(/[\s\p{Dash}]+/u)
    .flatMap((word) => /\p{L}/u.exec(word)?.[0] ?? [])
    .map((letter) => `${letter.toUpperCase()}.`)
    .join(' ');
