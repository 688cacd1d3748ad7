import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Tells the server that scripts run: then it answers with an address, and the page says what happens. */
export function ScriptsInput() {
  const hasScripts = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return <input name="scripts" type="hidden" value={hasScripts ? 'yes' : 'no'} />;
}
