import { checked, command, type Check } from './setup-check.ts';

/** Another clock: what it is called, and what it says, to `precisionMs`. */
export type OtherClock = { name: string; precisionMs: number; read: () => Promise<Date | null> };

/** Codes of the second factor are refused from 30 seconds on; PayPal's signatures and our links expire by the clock. */
const FARTHEST_MS = 5000;

/**
 * Whether this machine's clock agrees with others. One reading is as good as the time it took, so a difference counts
 * only beyond that and the other clock's precision.
 */
export async function clockCheck(now: () => Date, others: readonly OtherClock[]): Promise<Check> {
  const readings = await Promise.all(
    others.map(async ({ name, precisionMs, read }) => {
      const before = now().getTime();
      const time = await read().catch(() => null);
      const after = now().getTime();
      if (!time) return [];
      const earliest = time.getTime() - after;
      const latest = time.getTime() + precisionMs - before;
      // Zero where our clock fits between the two.
      return [{ name, offMs: earliest > 0 ? earliest : Math.max(0, -latest) }];
    }),
  );
  const offsets = readings.flat();
  const mend = command('timedatectl set-ntp true');
  if (offsets.length === 0) return checked('clock', 'unknown', { code: 'clockAlone' }, mend);
  const off = offsets.filter(({ offMs }) => offMs > FARTHEST_MS);
  const namesOf = (list: typeof offsets) => list.map(({ name }) => name).join(', ');
  if (off.length === 0) {
    return checked('clock', 'ok', { code: 'clockGood', values: { names: namesOf(offsets) } });
  }
  const seconds = Math.round(Math.max(...off.map(({ offMs }) => offMs)) / 1000);
  const values = { names: namesOf(off), seconds };
  return checked('clock', 'missing', { code: 'clockOff', values }, mend);
}
