import { useEffect } from 'react';
import { useRevalidator } from 'react-router';

/** Asks the server again and again while a page waits for news; without scripts the whole page reloads. */
export function RefreshEvery({ seconds }: { seconds: number }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, seconds * 1000);
    return () => clearInterval(timer);
  }, [revalidate, seconds]);
  return (
    <noscript>
      <meta content={String(seconds)} httpEquiv="refresh" />
    </noscript>
  );
}
