import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import type { PartyPlace } from './draft-content.ts';

/** The page that lists the travellers of a party, on which they are paid for. */
export const TRAVELLERS_PAGE = '/application/travellers';

/** The query parameter with the traveller's position. */
const TRAVELLER = 'traveller';

/** The address of a form's page for one traveller of a party; unchanged for a single traveller. */
export function travellerUrl(url: string, place: Pick<PartyPlace, 'position'> | null): string {
  if (!place) return url;
  const [whole = '', fragment] = url.split('#');
  const [path = '', query = ''] = whole.split('?');
  const named = new URLSearchParams(query);
  named.set(TRAVELLER, String(place.position));
  return `${path}?${named}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The position in a query; null for none. */
export function readPosition(query: URLSearchParams): number | null {
  const given = query.get(TRAVELLER) ?? '';
  return /^[1-9]\d{0,4}$/.test(given) ? Number(given) : null;
}

/** How many more travellers a party may have. */
export const placesLeft = (travellers: number): number => Math.max(0, MAX_TRAVELLERS - travellers);
