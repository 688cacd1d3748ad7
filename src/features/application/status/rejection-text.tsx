import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { speaks, type ShownRejection } from '../rejection.ts';

/** The reason in the reader's language, then the reviewer's words in the language they were written in. */
export function RejectionText({
  rejection: { code, words, texts },
}: {
  rejection: ShownRejection;
}) {
  const { t } = useTranslation('rejection');
  const language = useLanguage();
  return (
    <>
      {speaks(code) ? <p>{texts[language] ?? t(`reason.${code}`)}</p> : null}
      {words ? (
        <p className="whitespace-pre-line" dir="auto">
          {words}
        </p>
      ) : null}
    </>
  );
}
