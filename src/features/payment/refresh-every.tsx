import { useEffect } from 'react';
import { usePage } from '~/ui/page/page-context.tsx';

/** Reloads a page's data while it waits for news; without scripts the page itself. */
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
