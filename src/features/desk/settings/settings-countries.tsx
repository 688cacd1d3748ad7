import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { countryOptions } from '~/features/catalog/names.server.ts';
import { regimeInForce } from '~/features/catalog/regime-change.server.ts';
import { allCountries, findCountry } from '~/features/catalog/store.server.ts';
import { FormPage } from '../frame/desk-page.tsx';
import { EntriesTable } from '../frame/lists.tsx';
import { summariseRegime, isAboutCountry } from './countries.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { Route } from './+types/settings-countries.ts';

/** Every nationality with its present terms. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { platform, language } = await requireDesk({ request, context }, 'administer');
  const now = platform.now();
  const [countries, settings] = await Promise.all([
    allCountries(platform),
    readSettings(platform.db),
  ]);
  const planned = settings.changes.filter(
    ({ section, withdrawn, validFrom }) =>
      section === 'countries' && withdrawn === null && validFrom > now,
  );
  return {
    countries: countryOptions(countries, language)
      .flatMap(({ id, name }) => {
        const country = findCountry(countries, id);
        return country ? [{ country, name }] : [];
      })
      .map(({ country, name }) => ({
        code: country.code,
        name,
        granted: summariseRegime(regimeInForce(country, 'ordinary', settings, now), language),
        isPlanned: planned.some(isAboutCountry(country.code)),
      })),
  };
}

export default function SettingsCountries({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  return (
    <FormPage
      lead={t('countries.lead')}
      title={t('countries.title')}
      up={{ to: '/admin/settings', label: t('up.settings') }}
    >
      <EntriesTable
        columns={[
          {
            head: t('countries.country'),
            isRowName: true,
            render: ({ code, name }) => (
              <Link to={`/admin/settings/countries/${code}`}>{name}</Link>
            ),
          },
          {
            head: t('countries.granted'),
            render: ({ granted, isPlanned }) => (
              <>
                {granted}
                {isPlanned ? <strong> · {t('history.state.planned')}</strong> : null}
              </>
            ),
          },
        ]}
        entries={loaderData.countries}
        rowOf={({ code }) => ({ key: code, className: 'max-wide:grid-cols-2' })}
      />
    </FormPage>
  );
}
