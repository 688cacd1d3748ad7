/** What an address of an application's page says of the list beside it, without what it says of the application. */
export function listQuery(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of ['reject', 'draft', 'done', 'undo', 'view']) query.delete(name);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
