import { type Language, textDirection } from '~/base/languages.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatLanguage } from '../frame/formats.ts';

/** A template as a form offers it: in the language of the email, and in the reader's own. */
export type OfferedTemplate = { sent: string; own: string };

/** The templates for one application, by the code of a reason, by field, and by what travellers ask. */
export type OfferedTemplates = {
  /** The language of the email. */
  language: Language;
  /** Whether the reader reads another one. */
  isForeign: boolean;
  rejection: Readonly<Record<string, OfferedTemplate>>;
  correction: Readonly<Record<string, OfferedTemplate>>;
  message: Readonly<Record<string, OfferedTemplate>>;
};

/** A note with the text of a field that was ticked in a line of its own, or without it where the tick was taken away. */
export function toggleOfferedText(note: string, text: string, isTicked: boolean): string {
  const lines = note.split('\n');
  if (isTicked) {
    if (lines.includes(text)) return note;
    return note.trim() === '' ? text : `${note.trimEnd()}\n${text}`;
  }
  // What was written over stays.
  return lines.filter((line) => line !== text).join('\n');
}

/** What the traveller will read, and the same in the reader's language where that is another one. */
export function TemplatePreview({
  templates: { language, isForeign },
  chosen,
}: {
  templates: Pick<OfferedTemplates, 'language' | 'isForeign'>;
  chosen: readonly OfferedTemplate[];
}) {
  const { t, language: reader } = useTranslation('decision');
  if (chosen.length === 0) return null;
  return (
    <div
      className="grid gap-2 rounded-card border border-line-2 px-3.5 py-3 text-sm/5.5"
      data-testid="template-preview"
    >
      <p className="text-ink-2">
        {t('template.sent', { language: formatLanguage(language, reader) })}
      </p>
      <Lines dir={textDirection(language)} lang={language} texts={chosen.map(({ sent }) => sent)} />
      {isForeign ? (
        <>
          <p className="text-ink-2">{t('template.own')}</p>
          <Lines dir={textDirection(reader)} lang={reader} texts={chosen.map(({ own }) => own)} />
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
