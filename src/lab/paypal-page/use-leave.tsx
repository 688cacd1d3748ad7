import { useEffect, useRef } from 'react';

/** Leads to another document after a pause; what is planned ends with the page, however it is left. */
export function useLeave(): (address: string, afterMs: number) => void {
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);
  useEffect(() => {
    const stop = () => timers.current.forEach(clearTimeout);
    // A browser may keep the page as it was and show it again after Back.
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
