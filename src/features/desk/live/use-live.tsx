import { createContext, use } from 'react';
import { NOTHING_YET, type LiveState } from './live-state.ts';

export type Live = LiveState & {
  /** Begins again after a problem. */
  again: () => void;
};

export const LiveContext = createContext<Live>({ ...NOTHING_YET, again: () => undefined });

/** What came since the page was made; nothing before scripts run. */
export const useLive = (): Live => use(LiveContext);
