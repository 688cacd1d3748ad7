import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { DoneMessage } from '../frame/announcer.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { Column } from '~/features/desk/frame/desk-section.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
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
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const problems = answer?.kind === 'typed' ? answer.problems : [];
  return (
    <DeskPage outbox={frame.outbox} staff={frame.staff}>
      <Column>
        <UpLink to={up.to}>{t(`up.${up.label}`)}</UpLink>
        <FormHead
          problems={[
            ...problems.map((problem) => ({
              // Of the whole decision, not of one entry.
              name: problem.field === 'form' ? null : problem.field,
              message: t(`error.${problem.code}`, valuesOf(problem, language)),
            })),
            ...(answer?.kind === 'refused'
              ? [{ name: null, message: t(`refused.${answer.error}`) }]
              : []),
          ]}
          title={`${title} – Lale`}
        />
        <h1>{title}</h1>
        <p className="text-ink-2">{lead}</p>
        {frame.done && !answer ? <DoneMessage>{t(`done.${frame.done}`)}</DoneMessage> : null}
        {children}
        <History history={frame.history} />
      </Column>
    </DeskPage>
  );
}
