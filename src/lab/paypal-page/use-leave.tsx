import { useEffect, useRef } from 'react';

/** A function that loads another document after a pause, cancelled when the page is left before. */
export function useLeave(): (address: string, afterMs: number) => void {
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  useEffect(() => {
    const stop = () => timers.current.forEach(clearTimeout);
    // A browser may restore the page from its cache after Back.
    addEventListener('pagehide', stop);
    return () => {
      removeEventListener('pagehide', stop);
      stop();
    };
  }, []);
  return (address, afterMs) => {
    timers.current.push(setTimeout(() => location.assign(address), afterMs));
  };
}
