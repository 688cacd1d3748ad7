import { isOpen } from '~/base/dates/working-hours.ts';

/** Full hours of a working day in UTC, read off `working-hours.ts` so that pages cannot say others. */
export function openingHours(): { opening: number; closing: number } {
  const monday = Date.UTC(2026, 10, 23);
  const open = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
    isOpen(new Date(monday + hour * 3_600_000)),
  );
  return { opening: open[0] ?? 0, closing: (open.at(-1) ?? 0) + 1 };
}
