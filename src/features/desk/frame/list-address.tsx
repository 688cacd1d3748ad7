import { useLocation } from 'react-router';

/** What an address of an application's page says of the list beside it, without what it says of the application. */
export function listQuery(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of ['reject', 'draft', 'done', 'undo', 'view']) query.delete(name);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The address of the list without the panel, with its tab and page. */
export function useListAddress(): string {
  const { search } = useLocation();
  return `/admin${listQuery(search)}`;
}
