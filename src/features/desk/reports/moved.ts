import { redirect } from 'react-router';
import type { Route } from './+types/moved.ts';

/** Where what stood at an address stands now: the part of the page, or the file. */
const places: Readonly<Record<string, string>> = {
  'admin/statistics': '#steps',
  'admin/statistics/csv': '/steps/csv',
  'admin/statistics/applications/csv': '/applications/csv',
  'admin/work': '#promises',
  'admin/money': '#money',
  'admin/money/ledger/csv': '/ledger/csv',
  'admin/reconciliation': '#books',
  'admin/reconciliation/:day/csv': '/books/csv',
};

/** Leads from an old address to the same figures of the same days; who may see them is asked there. */
export function loader({ request, params, pattern }: Route.LoaderArgs) {
  const [path = '', hash] = (places[pattern] ?? '').split('#');
  const query = new URL(request.url).searchParams;
  const day = params.day ?? query.get('day');
  if (day !== null) {
    query.set('from', day);
    query.set('to', day);
  }
  const search = query.size > 0 ? `?${query}` : '';
  return redirect(`/admin/figures${path}${search}${hash === undefined ? '' : `#${hash}`}`);
}
