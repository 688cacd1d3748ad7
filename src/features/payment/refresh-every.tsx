import { useEffect } from 'react';
import { usePage } from '~/ui/page/page-context.tsx';

/** Asks the server again and again while a page waits for news; without scripts the whole page reloads. */
export function RefreshEvery({ seconds }: { seconds: number }) {
  const { reload } = usePage();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, seconds * 1000);
    return () => clearInterval(timer);
  }, [reload, seconds]);
  return (
    <noscript>
      <meta content={String(seconds)} httpEquiv="refresh" />
    </noscript>
  );
}
