/** What the page of a batch is told by the one that sent its files: the names of those that did not arrive. */
export type BatchState = { unsent: string[] };

export function unsentIn(state: unknown): string[] {
  if (typeof state !== 'object' || state === null || !('unsent' in state)) return [];
  const { unsent } = state;
  return Array.isArray(unsent) ? unsent.filter((name) => typeof name === 'string') : [];
}
