import { useTranslation } from '~/ui/texts/texts.tsx';
import { speaks, type Rejection } from '../rejection.ts';

/** The reason in the reader's language, then the reviewer's words in the language they were written in. */
export function RejectionText({ rejection: { code, words } }: { rejection: Rejection }) {
  const { t } = useTranslation('rejection');
  return (
    <>
      {speaks(code) ? <p>{t(`reason.${code}`)}</p> : null}
      {words ? (
        <p className="whitespace-pre-line" dir="auto">
          {words}
        </p>
      ) : null}
    </>
  );
}
