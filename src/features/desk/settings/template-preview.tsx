import { directionOf } from '~/base/languages.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formatLanguage } from '../frame/formats.ts';
import type { OfferedTemplate, OfferedTemplates } from './offered-template.ts';

/** What the traveller will read, and the same in the reader's language where that is another one. */
export function TemplatePreview({
  templates: { language, isForeign },
  chosen,
}: {
  templates: Pick<OfferedTemplates, 'language' | 'isForeign'>;
  chosen: readonly OfferedTemplate[];
}) {
  const { t } = useTranslation('decision');
  const reader = useLanguage();
  if (chosen.length === 0) return null;
  return (
    <div
      className="grid gap-2 rounded-card border border-line-2 px-3.5 py-3 text-sm/5.5"
      data-testid="template-preview"
    >
      <p className="text-ink-2">
        {t('template.sent', { language: formatLanguage(language, reader) })}
      </p>
      <Lines dir={directionOf(language)} lang={language} texts={chosen.map(({ sent }) => sent)} />
      {isForeign ? (
        <>
          <p className="text-ink-2">{t('template.own')}</p>
          <Lines dir={directionOf(reader)} lang={reader} texts={chosen.map(({ own }) => own)} />
        </>
      ) : null}
    </div>
  );
}

const Lines = ({
  texts,
  ...language
}: {
  texts: readonly string[];
  lang: string;
  dir: 'ltr' | 'rtl';
}) => (
  <div {...language}>
    {texts.map((text) => (
      <p key={text}>{text}</p>
    ))}
  </div>
);
