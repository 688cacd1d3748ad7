import { createContext, use } from 'react';
import { useRouteLoaderData } from 'react-router';
import type { DeskSignals, FrameData } from './signals.ts';

/** What every page shows of the answers that keep it up to date, see `desk/live`. */
export type Updates = {
  /** The moment of the newest answer, in milliseconds since 1970; 0 before the first. */
  at: number;
  signals: DeskSignals | null;
  /** When the session ends, by the newest answer; null before the first. */
  sessionEnd: FrameData['sessionEnd'];
  /** Why the page is no longer kept up to date. */
  problem: 'signed_out' | 'failed' | null;
  /** Asks at once, and goes on after a problem. */
  again: () => void;
};

export const UpdatesContext = createContext<Updates>({
  at: 0,
  signals: null,
  sessionEnd: null,
  problem: null,
  again: () => undefined,
});

export const useUpdates = (): Updates => use(UpdatesContext);

const NONE: DeskSignals = {
  forYou: 0,
  corrections: 0,
  undelivered: 0,
  undeliveredLate: 0,
  refunds: 0,
  alerts: 0,
  proposals: 0,
  requests: 0,
  partnersDown: [],
  maySeePayments: false,
  yearWithoutFeasts: null,
};

/** What every page of the desk loads; undefined where that failed. */
export const useFrame = (): FrameData | undefined =>
  useRouteLoaderData<FrameData>('features/desk/desk-layout');

/** The query of the list that the reader's queue begins with; '' for the whole list. */
export const useStart = (): string => useFrame()?.start ?? '';

/** The reader's counts and notices; empty where the frame failed to load. */
export function useSignals(): DeskSignals {
  const frame = useFrame();
  const { at, signals } = useUpdates();
  if (signals && frame && at > frame.now) return signals;
  return frame?.signals ?? NONE;
}
