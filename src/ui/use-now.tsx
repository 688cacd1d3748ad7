import { useEffect, useState } from 'react';

const STEP_MS = 30_000;

/** The moment at which the page was rendered, then the present one, in milliseconds since 1970. */
export function useClock(madeAt: number): number {
  const [clock, setClock] = useState({ madeAt, now: madeAt });
  useEffect(() => {
    const started = performance.now();
    const tick = () => setClock({ madeAt, now: madeAt + performance.now() - started });
    const timer = setInterval(tick, STEP_MS);
    return () => clearInterval(timer);
  }, [madeAt]);
  // A new page of the same component begins with its own moment.
  return clock.madeAt === madeAt ? clock.now : madeAt;
}

/** The server's time, advancing while the page is open, as the visitor's clock may be wrong. */
export const useServerClock = (startedAt: number): Date => new Date(useClock(startedAt));
