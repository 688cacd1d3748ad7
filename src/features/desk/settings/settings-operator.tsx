import { useTranslation } from '~/ui/texts/texts.tsx';
import { DecisionForm } from './decision-form.tsx';
import { openSection } from './open-section.server.ts';
import { operatorForm, operatorLines } from './operator.server.ts';
import { SettingsPage } from './settings-page.tsx';
import { handleDecisionSubmit } from './handle-decision-submit.server.ts';
import { operatorAt, operatorFields } from '~/features/settings/operator.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext } from '~/platform/http/request.server.ts';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-operator.ts';
import { LONGEST_LINE } from './typed-settings.ts';

export const shouldRevalidate = () => true;

/** The operator, as named in footer, policies, emails, receipts and certificates. */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'administer');
  const lines = operatorLines(args.context.get(languageContext));
  const { frame, platform, settings, now } = await openSection(args, 'operator', lines);
  const operator = operatorAt(platform.config, settings, now);
  return { frame, fields: operatorFields.map((field) => ({ field, text: operator[field] ?? '' })) };
}

export const action = (args: Route.ActionArgs) =>
  handleDecisionSubmit(args, ({ config }) =>
    operatorForm(config, '/admin/settings/operator', args.context.get(languageContext)),
  );

export default function SettingsOperator({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { frame, fields } = loaderData;
  const shown = fields.map(({ field, text }) => [`was-${field}`, text]);
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t('operator.lead')}
      title={t('operator.title')}
    >
      <DecisionForm answer={actionData} hidden={Object.fromEntries(shown)} version={frame.version}>
        {({ value, errorAt }) =>
          fields.map(({ field, text }) => (
            <TextField
              autoComplete="off"
              defaultValue={value(field, text)}
              error={errorAt(field)}
              key={field}
              label={t(`operator.field.${field}`)}
              maxLength={LONGEST_LINE}
              name={field}
              width="full"
            />
          ))
        }
      </DecisionForm>
    </SettingsPage>
  );
}
