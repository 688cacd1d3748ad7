import type { Entries } from '~/features/catalog/regime.ts';

type Allowed = { stayDays: number; entries: Entries };

export type StayGroup<Country extends Allowed> = Allowed & { countries: Country[] };

/** Countries that allow the same, longest stay first, then multiple before single entry; their order stays. */
export function inStayGroups<Country extends Allowed>(
  countries: readonly Country[],
): StayGroup<Country>[] {
  const groups: StayGroup<Country>[] = [];
  for (const country of countries) {
    const { stayDays, entries } = country;
    const known = groups.find((one) => one.stayDays === stayDays && one.entries === entries);
    if (known) known.countries.push(country);
    else groups.push({ stayDays, entries, countries: [country] });
  }
  return groups.toSorted((a, b) => b.stayDays - a.stayDays || (a.entries < b.entries ? -1 : 1));
}
