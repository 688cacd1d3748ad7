import { data } from 'react-router';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { languages } from '~/base/languages.ts';
import { LONGEST_TEMPLATE } from '~/features/application/template.ts';
import { defaultTemplate, editedTemplate } from '~/features/application/templates.server.ts';
import { DecisionForm } from './decision-form.tsx';
import { handleDecisionSubmit } from './handle-decision-submit.server.ts';
import { openSection } from './open-section.server.ts';
import { SettingsPage } from './settings-page.tsx';
import {
  isAboutTemplate,
  keyOf,
  placesIn,
  templateForm,
  templateKeyed,
  templateLabel,
  templateLines,
} from './templates.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext } from '~/platform/http/request.server.ts';
import { TextArea } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-template.ts';

export const shouldRevalidate = () => true;

function templateOf(key: string) {
  const template = templateKeyed(key);
  if (!template) throw data(null, { status: 404 });
  return template;
}

/** One template in every language. */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'edit_templates');
  const template = templateOf(args.params.template);
  const language = args.context.get(languageContext);
  const { frame, settings, now } = await openSection(args, 'templates', templateLines(language), {
    right: 'edit_templates',
    isShown: isAboutTemplate(template),
  });
  const edited = editedTemplate(settings, template, now);
  return {
    frame,
    kind: template.kind,
    label: templateLabel(template, language),
    places: placesIn(template),
    texts: languages.map(({ code, name, direction }) => ({
      code,
      name,
      direction,
      original: defaultTemplate(template, code) ?? '',
      edited: edited[code] ?? null,
    })),
  };
}

export async function action(args: Route.ActionArgs) {
  await requireStaff(args, 'edit_templates');
  const template = templateOf(args.params.template);
  const page = `/admin/settings/templates/${keyOf(template)}`;
  return handleDecisionSubmit(args, () =>
    templateForm(template, page, args.context.get(languageContext)),
  );
}

export default function SettingsTemplate({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { frame, kind, label, places, texts } = loaderData;
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t(kind === 'rejection' ? 'templates.rejectionUse' : 'templates.correctionUse')}
      title={label}
      up={{ to: '/admin/settings/templates', label: 'templates' }}
    >
      <p>{t('templates.keeps')}</p>
      <DecisionForm answer={actionData} key={label} version={frame.version}>
        {({ value, errorAt }) => (
          <>
            <p className="text-ink-2">{t('templates.hint', { limit: LONGEST_TEMPLATE, places })}</p>
            {texts.map(({ code, name, direction, original, edited }) => (
              <TextArea
                defaultValue={value(code, edited ?? original)}
                dir={direction}
                error={errorAt(code)}
                hint={
                  edited === null ? undefined : (
                    <>
                      {t('templates.originalText')} <bdi lang={code}>{original}</bdi>
                    </>
                  )
                }
                key={code}
                label={name}
                lang={code}
                maxLength={LONGEST_TEMPLATE}
                name={code}
                rows={3}
              />
            ))}
          </>
        )}
      </DecisionForm>
    </SettingsPage>
  );
}
