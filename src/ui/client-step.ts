/**
 * Runs a page's action from the browser. A request that does not get through keeps the page with all that is typed,
 * instead of replacing it by an error.
 */
export async function overConnection<Answer>(
  serverAction: () => Promise<Answer>,
): Promise<Answer | { offline: true }> {
  try {
    return await serverAction();
  } catch (error) {
    // What `fetch` throws when there is no connection.
    if (error instanceof TypeError) return { offline: true };
    throw error;
  }
}

/** A page's `shouldRevalidate`: without a connection there is nothing to ask, and asking would end in an error page. */
export function unlessOffline({
  actionResult,
  defaultShouldRevalidate,
}: {
  actionResult?: { offline?: true } | null;
  defaultShouldRevalidate: boolean;
}): boolean {
  return actionResult?.offline ? false : defaultShouldRevalidate;
}
