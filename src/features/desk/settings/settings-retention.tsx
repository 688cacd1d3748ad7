import { useTranslation } from '~/ui/texts/texts.tsx';
import { DecisionForm } from './decision-form.tsx';
import { openSection } from './open-section.server.ts';
import { retentionForm, retentionLines } from './retention.server.ts';
import { SettingsPage } from './settings-page.tsx';
import { handleDecisionSubmit } from './handle-decision-submit.server.ts';
import {
  isFixedRetention,
  retentionBounds,
  settableRetention,
  SHORTENING_NOTICE_DAYS,
} from '~/features/site/retention.ts';
import { retentionAt } from '~/features/site/retention.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext } from '~/platform/http/request.server.ts';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-retention.ts';

export const shouldRevalidate = () => true;

/** How long personal data are kept: periods that can be set, and periods fixed by law. */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'administer');
  const lines = retentionLines(args.context.get(languageContext));
  const { frame, settings, now } = await openSection(args, 'retention', lines);
  const years = retentionAt(settings, now);
  return {
    frame,
    years: { visa: years.visa, insurance: years.insurance },
    fixed: Object.entries(years).flatMap(([kind, count]) =>
      isFixedRetention(kind) ? [{ kind, count }] : [],
    ),
  };
}

export const action = (args: Route.ActionArgs) =>
  handleDecisionSubmit(args, () =>
    retentionForm('/admin/settings/retention', args.context.get(languageContext)),
  );

export default function SettingsRetention({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { frame, years, fixed } = loaderData;
  const shown = settableRetention.map((kind) => [`was-${kind}`, String(years[kind])]);
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t('retention.lead', { count: SHORTENING_NOTICE_DAYS })}
      title={t('retention.title')}
    >
      <section>
        <h2>{t('retention.fixed')}</h2>
        <ul>
          {fixed.map(({ kind, count }) => (
            <li key={kind}>
              {t(`retention.kind.${kind}`)}: {t('retention.years', { count })}
            </li>
          ))}
        </ul>
      </section>
      <DecisionForm answer={actionData} hidden={Object.fromEntries(shown)} version={frame.version}>
        {({ value, errorAt }) =>
          settableRetention.map((kind) => (
            <TextField
              defaultValue={value(kind, String(years[kind]))}
              error={errorAt(kind)}
              hint={t('retention.bounds', retentionBounds[kind])}
              inputMode="numeric"
              key={kind}
              label={t('retention.inYears', { kind: t(`retention.kind.${kind}`) })}
              maxLength={2}
              name={kind}
              width="short"
            />
          ))
        }
      </DecisionForm>
    </SettingsPage>
  );
}
