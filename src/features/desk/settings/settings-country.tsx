import { useTranslation } from '~/ui/texts/texts.tsx';
import { data } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { countryName } from '~/features/catalog/names.server.ts';
import { travelDocuments } from '~/features/catalog/regime.ts';
import { regimeAt } from '~/features/catalog/regime-change.server.ts';
import { firstCountries } from '~/features/catalog/store.server.ts';
import {
  controlsOf,
  countryForm,
  countryLines,
  documentNamed,
  inShort,
  originOf,
  isAbout,
  regimesOf,
} from './countries.server.ts';
import { DecisionForm, Fields } from './decision-form.tsx';
import { openSection, type PastChange } from './open-section.server.ts';
import { SettingsPage } from './settings-page.tsx';
import { handleDecisionSubmit } from './handle-decision-submit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { DateField } from '~/ui/fields/date-field.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-country.ts';

export const shouldRevalidate = () => true;

async function countryOf(platform: Platform, code: string | undefined) {
  const found = (await firstCountries(platform.db)).find((country) => country.code === code);
  if (!found) throw data(null, { status: 404 });
  return found;
}

/** One nationality: present, past and planned terms of each document. `?document=` chooses the document. */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'administer');
  const language = args.context.get(languageContext);
  const country = await countryOf(args.context.get(platformContext), args.params.code);
  const { code } = country;
  const document = documentNamed(new URL(args.request.url).searchParams.get('document'));
  const { frame, settings, now } = await openSection(
    args,
    'countries',
    countryLines(code, language),
    { isShown: isAbout(code) },
  );
  const isOrdinary = (subject: string) => {
    const [of, named] = subject.split('.');
    return of === code && documentNamed(named) === 'ordinary';
  };
  const isPast = (state: PastChange['state']) => state === 'in_force' || state === 'superseded';
  const ends = frame.history
    .filter(({ state, subjects }) => isPast(state) && subjects.some(isOrdinary))
    .map(({ validFrom }) => validFrom ?? 0);
  const until = ends.length === 0 ? null : Math.min(...ends);
  const beginning: PastChange = {
    id: 0,
    validFrom: null,
    decidedAt: 0,
    who: null,
    confirmedBy: null,
    alone: false,
    reason: '',
    state: until === null ? 'in_force' : 'superseded',
    subjects: [],
    lines: [
      {
        text: inShort(regimeAt(country, 'ordinary', { version: 0, changes: [] }, now), language),
        // A seeded decision counts from the beginning as well.
        until: until === 0 ? null : until,
      },
    ],
  };
  const granted = regimeAt(country, document, settings, now);
  return {
    frame: { ...frame, history: [...frame.history, beginning] },
    code,
    name: countryName(country, language),
    document,
    granted: inShort(granted, language),
    origin: originOf(granted, language),
    controls: controlsOf(granted),
    regimes: regimesOf(document),
  };
}

export async function action(args: Route.ActionArgs) {
  await requireStaff(args, 'administer');
  const country = await countryOf(args.context.get(platformContext), args.params.code);
  const page = `/admin/settings/countries/${country.code}`;
  return handleDecisionSubmit(args, ({ now }) =>
    countryForm(country, page, args.context.get(languageContext), now()),
  );
}

export default function SettingsCountry({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['settings', 'catalog']);
  const { frame, code, name, document, granted, origin, controls, regimes } = loaderData;
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t('countries.keeps')}
      title={name}
      up={{ to: '/admin/settings/countries', label: 'countries' }}
    >
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {travelDocuments.map((one) => (
          <li key={one}>
            <Link
              aria-current={one === document ? 'page' : undefined}
              className="inline-flex min-h-11 items-center current:font-semibold current:text-ink current:no-underline"
              to={`/admin/settings/countries/${code}?document=${one}`}
            >
              {t(`catalog:travelDocument.${one}`)}
            </Link>
          </li>
        ))}
      </ul>
      <div>
        <p>{t('countries.now', { granted })}</p>
        {origin.map(({ label, text }) => (
          <p className="text-small wrap-anywhere text-ink-2" key={label}>{`${label}: ${text}`}</p>
        ))}
      </div>
      <DecisionForm
        answer={actionData}
        hidden={{ document }}
        key={document}
        version={frame.version}
      >
        {({ value, errorAt }) => (
          <>
            <SelectField
              defaultValue={value('regime', controls.regime)}
              error={errorAt('regime')}
              label={t('countries.regime')}
              name="regime"
              options={regimes.map((one) => ({ value: one, label: t(`countries.regimes.${one}`) }))}
              width="email"
            />
            <Fields>
              <TextField
                defaultValue={value('maxStayDays', controls.maxStayDays)}
                error={errorAt('maxStayDays')}
                inputMode="numeric"
                label={t('countries.stayDays')}
                maxLength={3}
                name="maxStayDays"
                width="short"
              />
              <SelectField
                defaultValue={value('entries', controls.entries)}
                emptyLabel={t('countries.noEntries')}
                error={errorAt('entries')}
                label={t('countries.entries')}
                name="entries"
                options={(['single', 'multiple'] as const).map((one) => ({
                  value: one,
                  label: t(`catalog:entries.${one}`),
                }))}
              />
            </Fields>
            <TextField
              defaultValue={value('source', controls.source)}
              error={errorAt('source')}
              hint={t('countries.sourceHint')}
              label={t('countries.source')}
              name="source"
              width="full"
            />
            <TextField
              defaultValue={value('sourceAddress', controls.sourceAddress)}
              error={errorAt('sourceAddress')}
              label={t('countries.sourceAddress')}
              latin
              name="sourceAddress"
              type="url"
              width="full"
            />
            <DateField
              defaultValue={{
                day: value('checked-day', controls['checked-day']),
                month: value('checked-month', controls['checked-month']),
                year: value('checked-year', controls['checked-year']),
              }}
              error={errorAt('checked')}
              label={t('countries.checkedOn')}
              name="checked"
            />
            <TextArea
              defaultValue={value('note', controls.note)}
              error={errorAt('note')}
              label={t('countries.note')}
              name="note"
            />
          </>
        )}
      </DecisionForm>
    </SettingsPage>
  );
}
