import { useTranslation } from '~/ui/texts/texts.tsx';
import { data } from 'react-router';
import { directionOf, languages } from '~/base/languages.ts';
import { namespaces } from '~/i18n/translations.server.ts';
import { languageContext } from '~/platform/http/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { FormActions, FormFields } from '~/ui/layout.tsx';
import { useHref } from '~/ui/page/page-context.tsx';
import { findTexts, MOST_ROWS, type TextRow } from './find-texts.server.ts';
import type { Route } from './+types/texts.ts';

const others = languages.filter(({ code }) => code !== 'en');

/** Every text with its key, one language beside English, for translators and reviewers. */
export function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const wanted = query.get('in') ?? context.get(languageContext);
  const other = others.find(({ code }) => code === wanted) ?? others[0];
  if (!other) throw data(null, { status: 404 });
  const part = namespaces.find((name) => name === query.get('part')) ?? '';
  const find = query.get('find')?.trim().slice(0, 100) ?? '';
  const { rows, count } = findTexts({ part, find, language: other.code });
  return data(
    { part, find, language: other.code, rows, count, most: MOST_ROWS, parts: namespaces },
    { headers: { 'Cache-Control': 'no-store' } },
  );
}

function TextsPage({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('lab');
  const here = useHref('/texts');
  const { part, find, language, rows, count, most, parts } = loaderData;
  return (
    <>
      <form action={here} method="get">
        <FormFields>
          <TextField
            autoComplete="off"
            defaultValue={find}
            dir="auto"
            hint={t('texts.findHint')}
            label={t('texts.find')}
            maxLength={100}
            name="find"
            type="search"
          />
          <SelectField
            defaultValue={part}
            emptyLabel={t('texts.all')}
            label={t('texts.part')}
            name="part"
            options={parts.map((name) => ({ value: name, label: name }))}
          />
          <SelectField
            defaultValue={language}
            label={t('texts.language')}
            name="in"
            options={others.map(({ code, name }) => ({ value: code, label: name }))}
          />
        </FormFields>
        <FormActions>
          <Button>{t('texts.show')}</Button>
        </FormActions>
      </form>
      <p className="mt-8" role="status">
        {t('texts.count', { count })} {count > most ? t('texts.first', { most }) : null}
      </p>
      <ol dir="ltr">
        {rows.map((row) => (
          <TextEntry key={`${row.part}:${row.key}`} language={language} row={row} />
        ))}
      </ol>
    </>
  );
}

function TextEntry({ row, language }: { row: TextRow; language: (typeof others)[number]['code'] }) {
  const { part, key, english, chosen, description } = row;
  return (
    <li className="border-b border-line py-3.5 wrap-anywhere [&_.mono]:text-[0.875rem]">
      <p className="mono">
        <bdi>{`${part}:${key}`}</bdi>
      </p>
      {description === null ? null : (
        <p className="text-small text-ink-2" lang="en">
          {description}
        </p>
      )}
      <div className="mt-2 grid grid-cols-1 gap-x-8 gap-y-2 wide:grid-cols-2">
        <Forms dir="ltr" forms={english} lang="en" />
        <Forms dir={directionOf(language)} forms={chosen} lang={language} />
      </div>
    </li>
  );
}

function Forms({
  forms,
  lang,
  dir,
}: {
  forms: TextRow['english'];
  lang: string;
  dir: 'ltr' | 'rtl';
}) {
  return (
    <div dir={dir} lang={lang}>
      {forms.map(({ form, text }) => (
        <p key={form}>
          {form === '' ? null : (
            <bdi className="mono text-ink-2" dir="ltr">
              {form}{' '}
            </bdi>
          )}
          {text}
        </p>
      ))}
    </div>
  );
}

export { TextsPage as default };
