import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { Column } from '~/features/desk/frame/desk-section.tsx';
import { ErrorSummary } from '~/ui/fields/error-summary.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { History } from './history.tsx';
import type { SettingsFrame } from './open-section.server.ts';
import type { SettingsAnswer } from './handle-decision-submit.server.ts';
import { valuesOf } from './typed-settings.ts';
import { UpLink } from '~/features/desk/frame/up-link.tsx';

/** The frame of one section: the result, the form or its preview, and all earlier decisions. */
export function SettingsPage({
  title,
  lead,
  frame,
  answer,
  up = { to: '/admin/settings', label: 'settings' },
  children,
}: {
  title: string;
  lead: string;
  frame: SettingsFrame;
  answer: SettingsAnswer | undefined;
  /** The parent page; `label`: texts are `settings:up.<label>`. */
  up?: { to: string; label: 'settings' | 'countries' | 'templates' };
  children: ReactNode;
}) {
  const { t } = useTranslation(['settings', 'ui']);
  const language = useLanguage();
  const problems = answer?.kind === 'typed' ? answer.problems : [];
  const hasError = problems.length > 0 || answer?.kind === 'refused';
  return (
    <DeskPage outbox={frame.outbox} staff={frame.staff}>
      <title>{`${hasError ? `${t('ui:errorSummary.titlePrefix')} ` : ''}${title} – Lale`}</title>
      <Column>
        <UpLink to={up.to}>{t(`up.${up.label}`)}</UpLink>
        <ErrorSummary
          problems={problems.map((problem) => ({
            name: problem.field,
            message: t(`error.${problem.code}`, valuesOf(problem, language)),
          }))}
        />
        <h1>{title}</h1>
        <p className="text-ink-2">{lead}</p>
        {answer?.kind === 'refused' ? (
          <Notice role="alert" tone="red">
            {t(`refused.${answer.error}`)}
          </Notice>
        ) : null}
        {frame.done && !answer ? (
          <Notice role="status" tone="green">
            {t(`done.${frame.done}`)}
          </Notice>
        ) : null}
        {children}
        <History history={frame.history} />
      </Column>
    </DeskPage>
  );
}
