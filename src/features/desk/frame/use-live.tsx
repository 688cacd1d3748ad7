import { createContext, use } from 'react';
import { NOTHING_YET, type LiveState } from './live-state.ts';

export const LiveContext = createContext<LiveState>(NOTHING_YET);

/** What came since the page was rendered; empty before scripts run. */
export const useLive = (): LiveState => use(LiveContext);
