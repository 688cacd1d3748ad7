import type { ReactNode } from 'react';
import { DoneMessage } from '../frame/announcer.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Column } from '../frame/desk-section.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import { fieldOf, type CaseProblem } from './case-problem.ts';
import { UpLink } from '../frame/up-link.tsx';

export type PrivacyAnswer = { errors: readonly CaseProblem[]; typed: Record<string, string> };

/** The frame of the pages about personal data: the way up, what was wrong or done, and the sections. */
export function PrivacyFrame({
  title,
  lead,
  up = true,
  done,
  answer,
  children,
}: {
  title: string;
  lead?: ReactNode;
  /** Whether a link leads up to the list. */
  up?: boolean;
  done: CodeIn<'privacy', 'done'> | null;
  answer: PrivacyAnswer | undefined;
  children: ReactNode;
}) {
  const { t } = useTranslation('privacy');
  return (
    <DeskPage>
      <Column>
        {up ? <UpLink to="/admin/privacy">{t('up')}</UpLink> : null}
        <FormHead
          problems={(answer?.errors ?? []).map((error) => ({
            name: fieldOf[error] ?? null,
            message: t(`error.${error}`),
          }))}
          title={`${title} – Lale`}
        />
        <h1>{title}</h1>
        {lead === undefined ? null : <p className="text-ink-2">{lead}</p>}
        {done && !answer ? <DoneMessage>{t(`done.${done}`)}</DoneMessage> : null}
        {children}
      </Column>
    </DeskPage>
  );
}

/** What a form typed before, and what is wrong with a field of it. */
export function useTyped(answer: PrivacyAnswer | undefined) {
  const { t } = useTranslation('privacy');
  return {
    value: (name: string) => answer?.typed[name],
    errorAt: (name: string) => {
      const error = answer?.errors.find((one) => fieldOf[one] === name);
      return error && t(`error.${error}`);
    },
    date: (name: string) => ({
      day: answer?.typed[`${name}-day`] ?? '',
      month: answer?.typed[`${name}-month`] ?? '',
      year: answer?.typed[`${name}-year`] ?? '',
    }),
  };
}
