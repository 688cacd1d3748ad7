import { useTranslation } from '~/ui/texts/texts.tsx';
import { languages } from '~/base/languages.ts';
import { editedTemplate, templateAt } from '~/features/application/templates.server.ts';
import { DeskPage } from '../frame/desk-page.tsx';
import { Column } from '../frame/desk-section.tsx';
import { groupedTemplates, keyOf, templateLabel } from './templates.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { Link } from '~/ui/page/link.tsx';
import type { Route } from './+types/settings-templates.ts';
import { UpLink } from '../frame/up-link.tsx';

export const shouldRevalidate = () => true;

/** All templates with their text in the reader's language. */
export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'edit_templates');
  const platform = args.context.get(platformContext);
  const language = args.context.get(languageContext);
  const settings = await readSettings(platform.db, 'templates');
  const at = platform.now();
  const groups = groupedTemplates((template) => {
    const edited = editedTemplate(settings, template, at);
    const label = templateLabel(template, language);
    const text = templateAt(settings, template, { language, at });
    return {
      key: keyOf(template),
      label,
      // The reasons are called as they read until somebody changes them.
      text: text === label ? null : text,
      changed: languages.filter(({ code }) => code in edited).map(({ name }) => name),
    };
  });
  return { groups };
}

export default function SettingsTemplates({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { groups } = loaderData;
  return (
    <DeskPage>
      <title>{`${t('templates.title')} – Lale`}</title>
      <Column>
        <UpLink to="/admin/settings">{t('up.settings')}</UpLink>
        <h1>{t('templates.title')}</h1>
        <p className="text-ink-2">{t('templates.lead')}</p>
        {groups.map(({ kind, templates }) => (
          <section key={kind}>
            <h2>{t(`templates.${kind}`)}</h2>
            <ul className="grid gap-3">
              {templates.map(({ key, label, text, changed }) => (
                <li className="wrap-anywhere" key={key}>
                  <Link
                    className="inline-flex min-h-11 items-center"
                    to={`/admin/settings/templates/${key}`}
                  >
                    {label}
                  </Link>
                  {text === null ? null : <p className="text-sm/5.5 text-ink-2">{text}</p>}
                  {changed.length === 0 ? null : (
                    <p className="text-sm/5.5">
                      {t('templates.changed', { languages: changed.join(', ') })}
                    </p>
                  )}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </Column>
    </DeskPage>
  );
}
