import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { languages } from '~/base/languages.ts';
import { DecisionForm, Group } from './decision-form.tsx';
import { openSection } from './open-section.server.ts';
import { SettingsPage } from './settings-page.tsx';
import { handleDecisionSubmit, type SettingsAnswer } from './handle-decision-submit.server.ts';
import { insurerFields, termsForm, termsLines, typedTerms } from './terms.server.ts';
import { termsDecidedAt } from '~/features/insurance/store/terms-store.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext } from '~/platform/http/request.server.ts';
import { ButtonLink } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-insurance.ts';
import { LONGEST_LINE, MOST_COVERS } from './typed-settings.ts';

export const shouldRevalidate = () => true;

const PAGE = '/admin/settings/insurance';

/** The insurer, what is covered, and the terms; without them live mode sells no insurance. */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'administer');
  const lines = termsLines(args.context.get(languageContext));
  const { frame, settings, now } = await openSection(args, 'insurance_terms', lines);
  const terms = termsDecidedAt(settings, now)?.terms ?? null;
  const asksToEnd = new URL(args.request.url).searchParams.get('end') === 'yes';
  // Sample terms are not offered for change, so that nobody publishes what they did not enter.
  const shown = typedTerms(terms?.isSample ? null : terms);
  return {
    frame,
    shown,
    fields: insurerFields,
    isEnding: asksToEnd && terms !== null,
    state: terms ? (terms.isSample ? ('sample' as const) : ('published' as const)) : 'none',
  } as const;
}

/** Both forms of the page submit the same kind of decision. */
export const action = (args: Route.ActionArgs) =>
  handleDecisionSubmit(args, () => termsForm(PAGE, args.context.get(languageContext)));

export default function SettingsInsurance({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { frame, shown, fields, state } = loaderData;
  const isEnding = actionData ? actionData.typed.end === 'yes' : loaderData.isEnding;
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t('terms.lead')}
      title={t('insurance_terms.title')}
    >
      {state === 'published' ? (
        <p>
          <Link to="/insurance/terms">{t('terms.look')}</Link>
        </p>
      ) : (
        <Notice tone="amber">{t(`terms.state.${state}`)}</Notice>
      )}
      {isEnding ? (
        <EndTerms answer={actionData} version={frame.version} />
      ) : (
        <TermsFields answer={actionData} fields={fields} shown={shown} version={frame.version} />
      )}
      {state === 'none' || isEnding || actionData ? null : (
        <section>
          <h2>{t('terms.end.title')}</h2>
          <p>{t('terms.end.text')}</p>
          <ButtonLink look="secondary" small to={`${PAGE}?end=yes#form`}>
            {t('terms.end.open')}
          </ButtonLink>
        </section>
      )}
    </SettingsPage>
  );
}

/** Asks when and why insurance is no longer sold. */
function EndTerms({ answer, version }: { answer: SettingsAnswer | undefined; version: string }) {
  const { t } = useTranslation('settings');
  return (
    <DecisionForm
      answer={answer}
      hidden={{ end: 'yes' }}
      title={t('terms.end.title')}
      version={version}
    >
      {() => (
        <>
          <p>{t('terms.end.text')}</p>
          <p>
            <Link to={PAGE}>{t('terms.end.back')}</Link>
          </p>
        </>
      )}
    </DecisionForm>
  );
}

function TermsFields({
  answer,
  version,
  shown,
  fields,
}: {
  answer: SettingsAnswer | undefined;
  version: string;
  shown: Readonly<Record<string, string>>;
  fields: typeof insurerFields;
}) {
  const { t } = useTranslation('settings');
  return (
    <DecisionForm answer={answer} version={version}>
      {({ value, errorAt }) => (
        <>
          {fields.map((field) => (
            <TextField
              autoComplete="off"
              defaultValue={value(field, shown[field])}
              error={errorAt(field)}
              hint={field === 'licence' ? t('terms.licenceHint') : undefined}
              key={field}
              label={t(`terms.field.${field}`)}
              latin={field === 'assistancePhone'}
              maxLength={LONGEST_LINE}
              name={field}
              width="full"
            />
          ))}
          {languages.map(({ code, name, direction }) => (
            <Group key={code} title={name}>
              <TextArea
                defaultValue={value(`covers-${code}`, shown[`covers-${code}`])}
                dir={direction}
                error={errorAt(`covers-${code}`)}
                hint={
                  code === 'en'
                    ? t('terms.coversHint', { most: MOST_COVERS })
                    : t('terms.otherHint')
                }
                label={t('terms.field.covers')}
                lang={code}
                name={`covers-${code}`}
                rows={4}
              />
              <TextArea
                defaultValue={value(`wording-${code}`, shown[`wording-${code}`])}
                dir={direction}
                error={errorAt(`wording-${code}`)}
                label={t('terms.field.wording')}
                lang={code}
                name={`wording-${code}`}
                rows={10}
              />
            </Group>
          ))}
        </>
      )}
    </DecisionForm>
  );
}
