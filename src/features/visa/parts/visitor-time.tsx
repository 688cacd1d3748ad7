import { useClock } from '~/ui/use-now.tsx';

/** The server's time, advancing while the page is open, as the visitor's clock may be wrong. */
export const useServerClock = (startedAt: number): Date => new Date(useClock(startedAt));
