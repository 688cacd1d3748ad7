import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DoneMessage } from '../frame/announcer.tsx';
import type { CaseFileDone, CaseFileProblem } from './case-file-answer.ts';
import { formatCount } from '../frame/formats.ts';
import { CORRECTABLE_MS, LONGEST_STAFF_NOTE, LONGEST_WHY } from './note.ts';

/** Why a form was refused, in the reader's language. */
export function useProblemText(problem: Pick<CaseFileProblem, 'code'> | null): string | null {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
  return (
    problem &&
    t(`error.${problem.code}`, {
      note: formatCount(LONGEST_STAFF_NOTE, language),
      why: LONGEST_WHY,
      minutes: CORRECTABLE_MS / 60_000,
    })
  );
}

/** Confirms what was done, in the section where it was done. */
export function DoneNotice({
  done,
  of,
}: {
  done: CaseFileDone | null;
  of: readonly CaseFileDone[];
}) {
  const { t } = useTranslation('case-file');
  if (!done || !of.includes(done)) return null;
  return <DoneMessage>{t(`done.${done}`)}</DoneMessage>;
}
