import { MOST_TRAVELLERS } from '~/features/application/travellers.ts';

/** Which of several people who apply together a draft is of. */
export type PartyPlace = {
  /** Of the party. */
  id: string;
  /** Which traveller, from 1; stays theirs when another one is removed. */
  position: number;
  /** Of all travellers, in order. */
  positions: readonly number[];
};

/** The page that lists the travellers of a party, and where they are paid for. */
export const TRAVELLERS_PAGE = '/application/travellers';

/** What a page's address says of the traveller that it is about. */
const TRAVELLER = 'traveller';

/** The position that an address names; null for none. */
export function positionIn(query: URLSearchParams): number | null {
  const given = query.get(TRAVELLER) ?? '';
  return /^[1-9]\d{0,4}$/.test(given) ? Number(given) : null;
}

/** The address of a wizard's page for one traveller of a party; unchanged for somebody who applies alone. */
export function forTraveller(url: string, place: Pick<PartyPlace, 'position'> | null): string {
  if (!place) return url;
  const [whole = '', fragment] = url.split('#');
  const [path = '', query = ''] = whole.split('?');
  const named = new URLSearchParams(query);
  named.set(TRAVELLER, String(place.position));
  return `${path}?${named}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** How many more travellers a party may get. */
export const placesLeft = (travellers: number): number => Math.max(0, MOST_TRAVELLERS - travellers);
