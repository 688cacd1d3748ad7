import { randomUUID } from 'node:crypto';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { certificationLines, certificationsForm, inWords } from './certifications.server.ts';
import { DecisionForm } from './decision-form.tsx';
import { openSection } from './open-section.server.ts';
import { SettingsPage } from './settings-page.tsx';
import { handleDecisionSubmit } from './handle-decision-submit.server.ts';
import { isValidOn } from '~/features/settings/certification.ts';
import { certificationsAt } from '~/features/settings/certifications.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext } from '~/platform/http/request.server.ts';
import { DateField } from '~/ui/fields/date-field.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-certifications.ts';
import { LONGEST_LINE } from './typed-settings.ts';

export const shouldRevalidate = () => true;

const PAGE = '/admin/settings/certifications';

/** Certifications; `?edit=` opens one, otherwise the form adds one. */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'administer');
  const language = args.context.get(languageContext);
  const { frame, settings, now } = await openSection(
    args,
    'certifications',
    certificationLines(language),
  );
  const standing = certificationsAt(settings, now);
  const edit = new URL(args.request.url).searchParams.get('edit');
  return {
    frame,
    opened: standing.find(({ id }) => id === edit) ?? null,
    newId: randomUUID(),
    certifications: standing.map((one) => ({
      id: one.id,
      name: one.name,
      text: inWords(one, language),
      isValid: isValidOn(one, now),
    })),
  };
}

export const action = (args: Route.ActionArgs) =>
  handleDecisionSubmit(args, () => certificationsForm(PAGE, args.context.get(languageContext)));

export default function SettingsCertifications({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { frame, opened, newId, certifications } = loaderData;
  const [year = '', month = '', day = ''] = opened?.validUntil.split('-') ?? [];
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t('certifications.lead')}
      title={t('certifications.title')}
    >
      {certifications.length === 0 ? <p>{t('certifications.none')}</p> : null}
      <ul>
        {certifications.map(({ id, name, text, isValid }) => (
          <li key={id}>
            {text}
            {isValid ? null : <strong> · {t('certifications.expired')}</strong>}{' '}
            <Link to={`${PAGE}?edit=${id}#form`}>{t('certifications.open', { name })}</Link>
          </li>
        ))}
      </ul>
      <DecisionForm
        answer={actionData}
        hidden={{ id: actionData?.typed.id ?? opened?.id ?? newId }}
        key={opened?.id ?? 'new'}
        version={frame.version}
      >
        {({ value, errorAt }) => (
          <>
            {(['name', 'number', 'issuer', 'evidence'] as const).map((field) => (
              <TextField
                defaultValue={value(field, opened?.[field])}
                error={errorAt(field)}
                hint={field === 'evidence' ? t('certifications.evidenceHint') : undefined}
                key={field}
                label={t(`certifications.field.${field}`)}
                latin={field === 'evidence' || field === 'number'}
                maxLength={LONGEST_LINE}
                name={field}
                type={field === 'evidence' ? 'url' : 'text'}
                width="full"
              />
            ))}
            <DateField
              defaultValue={{
                day: value('validUntil-day', day),
                month: value('validUntil-month', month),
                year: value('validUntil-year', year),
              }}
              error={errorAt('validUntil')}
              label={t('certifications.field.validUntil')}
              name="validUntil"
            />
            {opened ? (
              <RadioList
                defaultValue={value('remove', 'no')}
                label={t('certifications.keep')}
                name="remove"
                options={(['no', 'yes'] as const).map((one) => ({
                  value: one,
                  label: t(`certifications.remove.${one}`),
                }))}
              />
            ) : null}
          </>
        )}
      </DecisionForm>
    </SettingsPage>
  );
}
