import { useState } from 'react';
import { useNavigation } from 'react-router';
import type { CaseFileProblem } from './case-file-answer.ts';

/**
 * The `about` of a form that gets another one with each load of the page, and whether the form is being sent. It
 * changes only after this form was accepted: another form's submission, which loads the page anew as well, must not
 * empty one that is half filled in.
 */
export function useFormAbout({
  intent,
  next,
  failed,
}: {
  intent: string;
  /** The id that the page brought, for what is written next. */
  next: string;
  /** The refusal of this form. */
  failed: CaseFileProblem | null;
}): { about: string; isSending: boolean } {
  const [about, setAbout] = useState(next);
  const [wasSending, setWasSending] = useState(false);
  // A refused form keeps its id, so that sending it again stores it once.
  const current = failed?.about ?? about;
  const { formData } = useNavigation();
  const isSending = formData?.get('intent') === intent && formData.get('about') === current;
  if (wasSending !== isSending) {
    setWasSending(isSending);
    if (wasSending && !failed) setAbout(next);
  }
  return { about: current, isSending };
}
