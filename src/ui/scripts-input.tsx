import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** What only a browser knows and does not change; `before`: on the server and while hydrating. */
export const useInBrowser = <T,>(read: () => T, before: T): T =>
  useSyncExternalStore(never, read, () => before);

/** False on the server and while hydrating. */
export const useHasScripts = (): boolean => useInBrowser(() => true, false);

/** Tells the server that scripts run: it then answers with an address to go to, and the page shows its progress. */
export function ScriptsInput() {
  return <input name="scripts" type="hidden" value={useHasScripts() ? 'yes' : 'no'} />;
}
