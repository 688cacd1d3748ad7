/** Where the browser keeps a reading of the first page for that of the details: in this tab, until it is closed. */
const STORED = 'passport-reading';

/** In milliseconds: what is older may be of somebody who left this tab open. */
const MAX_AGE_MS = 3_600_000;

/** `zone`: as `writeZone` writes it. `traveller`: the position in a party, 1 for somebody who applies alone. */
type Kept = { traveller: number; at: number; zone: string };

/** Keeps what was read for the details page; nothing is sent. Where the browser stores nothing, it is read there again. */
export function keepReading(zone: string, traveller: number): void {
  const kept: Kept = { traveller, at: Date.now(), zone };
  try {
    sessionStorage.setItem(STORED, JSON.stringify(kept));
  } catch {
    // A full or forbidden storage.
  }
}

/** What was kept of this traveller; null where there is nothing, or that of another one. */
export function keptReading(traveller: number): string | null {
  try {
    const kept: Partial<Kept> = JSON.parse(sessionStorage.getItem(STORED) ?? '{}');
    const isOld = Date.now() - (kept.at ?? 0) > MAX_AGE_MS;
    return kept.traveller === traveller && !isOld ? (kept.zone ?? null) : null;
  } catch {
    return null;
  }
}

/** It was used, or somebody else begins. */
export function dropReading(): void {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // A forbidden storage.
  }
}
