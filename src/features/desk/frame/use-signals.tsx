import { createContext, use } from 'react';
import { useRouteLoaderData } from 'react-router';
import { NOTHING_YET, type LiveState } from './live-state.ts';
import type { DeskSignals, FrameData } from './signals.ts';

/** What came since the page was rendered. `again`: asks at once, and goes on after a problem. */
export type Live = LiveState & { again: () => void };

export const LiveContext = createContext<Live>({ ...NOTHING_YET, again: () => undefined });

/** Empty before scripts run. */
export const useLive = (): Live => use(LiveContext);

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
  const { at, signals } = useLive();
  if (signals && frame && at > frame.now) return signals;
  return frame?.signals ?? NONE;
}
