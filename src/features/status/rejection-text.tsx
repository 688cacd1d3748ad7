import { useTranslation } from '~/ui/texts/texts.tsx';
import { hasRejectionText, type ShownRejection } from '~/features/application/rejection.ts';

/** The reason in the reader's language, then the reviewer's words in the language they were written in. */
export function RejectionText({
  rejection: { code, words, texts },
  writtenIn,
}: {
  rejection: ShownRejection;
  /** The language of the words, where it is known. */
  writtenIn?: string;
}) {
  const { t, language } = useTranslation('rejection');
  return (
    <>
      {hasRejectionText(code) ? <p>{texts[language] ?? t(`reason.${code}`)}</p> : null}
      {words ? (
        <p className="whitespace-pre-line" dir="auto" lang={writtenIn}>
          {words}
        </p>
      ) : null}
    </>
  );
}
