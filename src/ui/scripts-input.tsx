import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False on the server and while hydrating. */
export const useHasScripts = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** Tells the server that scripts run: then it answers with an address, and the page says what happens. */
export function ScriptsInput() {
  return <input name="scripts" type="hidden" value={useHasScripts() ? 'yes' : 'no'} />;
}
