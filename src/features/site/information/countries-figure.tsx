import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { documentPathConditions, type NotedCountry } from '~/features/catalog/notes.ts';
import type { VisaEntries } from '~/features/catalog/regime.ts';
import type { PricePath } from '~/features/visa/rules/speeds.ts';

/** A nationality with an e-visa, named in the page's language. */
export type EligibleCountry = {
  code: string;
  name: string;
  path: PricePath;
  stayDays: number;
  entries: VisaEntries;
  /** Code of one more sentence about it: `catalog:notes.<code>`. */
  note?: NotedCountry | undefined;
};

type Countries = { countries: readonly EligibleCountry[] };

/** The nationalities of one path, grouped by what their e-visa allows. */
export function CountryGroups({ countries, path }: Countries & { path: PricePath }) {
  const { t } = useTranslation('information');
  return (
    <dl className="grid gap-6">
      {inStayGroups(countries.filter((country) => country.path === path)).map((group) => (
        <div
          className="columns-[2_9rem] gap-x-6 wide:columns-[3_9rem]"
          key={`${group.stayDays} ${group.entries}`}
        >
          <dt className="mb-2 border-b border-ink pb-2 font-semibold [column-span:all]">
            {t('countries.stay', {
              count: group.stayDays,
              entries: t(`catalog:entries.${group.entries}`),
            })}
          </dt>
          {group.countries.map(({ code, name }) => (
            <dd className="break-inside-avoid py-1" key={code}>
              {name}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

/** Notes on ages, kinds of passport or border rules. */
export function CountryNotes({ countries }: Countries) {
  const { t } = useTranslation(['information', 'catalog']);
  return (
    <ul>
      {countries.map(({ code, name, note }) =>
        note ? (
          <li key={code}>
            <Trans
              components={{ country: <strong /> }}
              i18nKey="countries.note"
              t={t}
              values={{ name, note: t(`catalog:notes.${note}`) }}
            />
          </li>
        ) : null,
      )}
    </ul>
  );
}

export function Conditions() {
  const { t } = useTranslation('catalog');
  return (
    <ul>
      {documentPathConditions.map((condition) => (
        <li key={condition}>{t(`conditions.${condition}`)}</li>
      ))}
    </ul>
  );
}

type Allowed = { stayDays: number; entries: VisaEntries };

type StayGroup<Country extends Allowed> = Allowed & { countries: Country[] };

/**
 * Groups countries with equal terms, longest stay first, then multiple before single entry; within a group the order
 * stays.
 */
function inStayGroups<Country extends Allowed>(
  countries: readonly Country[],
): StayGroup<Country>[] {
  const groups: StayGroup<Country>[] = [];
  for (const country of countries) {
    const { stayDays, entries } = country;
    const known = groups.find((one) => one.stayDays === stayDays && one.entries === entries);
    if (known) known.countries.push(country);
    else groups.push({ stayDays, entries, countries: [country] });
  }
  return groups.sort((a, b) => b.stayDays - a.stayDays || (a.entries < b.entries ? -1 : 1));
}
