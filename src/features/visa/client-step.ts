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
