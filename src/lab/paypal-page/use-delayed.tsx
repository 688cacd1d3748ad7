import { useEffect, useState } from 'react';

/** True `delayMs` milliseconds after `isReady` became true. */
export function useDelayed(isReady: boolean, delayMs: number): boolean {
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    if (!isReady) return;
    const timer = setTimeout(() => setTime(true), delayMs);
    return () => clearTimeout(timer);
  }, [isReady, delayMs]);
  return isReady && isTime;
}
