import type { ReactNode } from 'react';
import type { Translate } from '~/base/read-text.ts';
import { Notice } from '~/ui/notice.tsx';
import { useAllTexts } from '~/ui/texts/page-texts.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { PhotoProblem } from './read-in-browser.ts';

function titleOf(t: Translate, problem: PhotoProblem, canCorrect: boolean): string {
  const isClear = problem.error === 'unsure' && (!canCorrect || problem.doubts.length === 0);
  return t(
    isClear ? 'visa:reader.photo.unsure.misread' : `visa:reader.photo.${problem.error}.title`,
  );
}

/** Why a photo was not read, and what to do. `canCorrect`: lines that are not sure stand in a box of the page. */
export function PhotoNotice({
  problem,
  canCorrect = false,
  children,
}: {
  problem: PhotoProblem;
  canCorrect?: boolean;
  children?: ReactNode;
}) {
  const { t } = useTranslation('visa');
  useAllTexts(true);
  const advice = problem.error === 'unsure' && !canCorrect ? 'not_found' : problem.error;
  return (
    <Notice role="status" title={titleOf(t, problem, canCorrect)} tone="amber">
      <p>{t(`visa:reader.photo.${advice}.text`)}</p>
      {children}
    </Notice>
  );
}
