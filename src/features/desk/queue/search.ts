import { redirect } from 'react-router';
import { formText } from '~/platform/input/form-text.ts';
import { filterQuery, wholeList, type QueueKind } from './list-filter.ts';
import { sealSearch, firstShownKind, findExactPage } from './open-search.server.ts';
import { nearSearch, readSearch, typedText } from './search-words.ts';
import { isMistypedNumber } from '~/features/application/number.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Route } from './+types/search.ts';

/**
 * Opens the page that a complete number names; otherwise lists matches among all applications, without the earlier
 * filters. Where nothing matches, lists names with one typing mistake, if there are some.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context });
  const form = await readForm({ request, context });
  const typed = typedText(formText(form, 'search').slice(0, 200));
  const tab: QueueKind = formText(form, 'tab') === 'insurance' ? 'insurance' : 'visa';
  const headers = { 'Cache-Control': 'no-store' };
  const exact = await findExactPage(platform, typed);
  if (exact !== null) return redirect(exact, { headers });
  const looking = { staffId: staff.id, now: platform.now() };
  const near = isMistypedNumber(typed) ? null : nearSearch(typed);
  for (const text of [typed, near]) {
    const search = text === null ? null : readSearch(text, platform.sealer);
    const kind = search && (await firstShownKind(platform.db, tab, search, looking));
    if (text !== null && kind !== null) return show(kind, text);
  }
  return show(tab, typed);

  function show(kind: QueueKind, text: string) {
    const list = wholeList(kind, sealSearch(platform, text));
    return redirect(`/admin${filterQuery(list)}`, { headers });
  }
}

export const loader = () => redirect('/admin');
