import { isUuid } from '~/base/uuid.ts';
import type { PlainDate } from '~/base/dates/dates.ts';
import { auditActions, type AuditAction } from '~/features/staff/audit-words.ts';
import { readDay } from '../frame/days.tsx';

/** Which entries of the audit trail are shown. `day` is a UTC day, `number` an application's. */
export type AuditFilter = {
  readonly staff: string | null;
  readonly action: AuditAction | null;
  readonly number: string;
  readonly day: PlainDate | null;
};

/** Reads an address's query; unknown values are ignored. */
export function readAuditFilter(query: URLSearchParams): AuditFilter {
  const staff = query.get('staff') ?? '';
  return {
    staff: isUuid(staff) ? staff : null,
    action: auditActions.find((action) => action === query.get('action')) ?? null,
    number: (query.get('number') ?? '').trim().slice(0, 40),
    day: readDay(query.get('day') ?? ''),
  };
}

/** The query of an address with this filter. */
export function auditQuery(filter: AuditFilter, more: Record<string, string> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filter, ...more })) {
    if (value) query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
