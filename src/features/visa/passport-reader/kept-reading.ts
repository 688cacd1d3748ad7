/** Where the browser keeps a reading of the first page for that of the details: in this tab, until it is closed. */
const STORED = 'passport-reading';

/** In milliseconds: what is older may be of somebody who left this tab open. */
const MAX_AGE_MS = 3_600_000;

/**
 * Keeps what was read for the details page; nothing is sent. Where the browser stores nothing, it is read there again.
 * `zone`: as `writeZone` writes it. `traveller`: the position in a party, 1 for somebody who applies alone.
 */
export function keepReading(zone: string, traveller: number): void {
  try {
    sessionStorage.setItem(STORED, [traveller, Date.now(), zone].join('\n'));
  } catch {
    // A full or forbidden storage.
  }
}

/** What was kept of this traveller; of another one, or for too long, it is dropped. */
export function keptReading(traveller: number): string | undefined {
  try {
    const [position, at, zone] = (sessionStorage.getItem(STORED) ?? '').split('\n');
    const age = Math.abs(Date.now() - Number(at));
    if (Number(position) === traveller && age <= MAX_AGE_MS) return zone;
  } catch {
    // A forbidden storage.
  }
  dropReading();
  return undefined;
}

/** It was used, or somebody else begins. */
export function dropReading(): void {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // A forbidden storage.
  }
}
