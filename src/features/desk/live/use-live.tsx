import { createContext, use } from 'react';
import { NOTHING_YET, type LiveState } from './live-state.ts';
import { useRouteLoaderData } from 'react-router';
import type { DeskSignals, FrameData } from './signals.ts';

export type Live = LiveState & {
  /** Starts again after a problem. */
  again: () => void;
};

export const LiveContext = createContext<Live>({ ...NOTHING_YET, again: () => undefined });

/** What came since the page was rendered; empty before scripts run. */
export const useLive = (): Live => use(LiveContext);

const NONE: DeskSignals = {
  forYou: 0,
  corrections: 0,
  refunds: 0,
  alerts: 0,
  proposals: 0,
  requests: 0,
  partnersDown: [],
  maySeePayments: false,
  yearWithoutFeasts: null,
};

/** The query of the list that the reader's queue begins with; '' for the whole list. */
export const useStart = (): string =>
  useRouteLoaderData<FrameData>('features/desk/desk-layout')?.start ?? '';

/** The reader's counts and notices; empty where the frame failed to load. */
export function useSignals(): DeskSignals {
  const frame = useRouteLoaderData<FrameData>('features/desk/desk-layout');
  const { at, signals } = useLive();
  if (signals && frame && at > frame.now) return signals;
  return frame?.signals ?? NONE;
}
