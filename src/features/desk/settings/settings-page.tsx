import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { DoneMessage } from '../frame/announcer.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Column } from '../frame/desk-section.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { SettingsFrame, PastChange } from './open-section.server.ts';
import type { SettingsAnswer } from './handle-decision-submit.server.ts';
import { valuesOf } from './typed-settings.ts';
import { UpLink } from '../frame/up-link.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { RowAction } from '../frame/row-action.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';

const tones: Record<PastChange['state'], StatusTone> = {
  in_force: 'green',
  superseded: 'blue',
  planned: 'amber',
  withdrawn: 'red',
};

/** Every decision of a section, latest first. Planned ones can be withdrawn. */
function History({ history }: { history: readonly PastChange[] }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const moment = (at: number) => formatMoment(new Date(at), language, UTC, 'dated');
  return (
    <section>
      <h2 id="history">{t('history.title')}</h2>
      {history.length === 0 ? <p className="text-ink-2">{t('history.empty')}</p> : null}
      <ol className="grid gap-3.5">
        {history.map(
          ({ id, validFrom, decidedAt, who, confirmedBy, alone, reason, lines, state }) => (
            <li
              className="grid gap-1 border-b border-line pb-3.5 wrap-anywhere last:border-b-0 [&_.link-button]:inline-flex [&_.link-button]:min-h-11 [&_.link-button]:items-center"
              key={id}
            >
              <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <strong>
                  {validFrom === null
                    ? t('history.beginning')
                    : t('history.from', { moment: moment(validFrom) })}
                </strong>{' '}
                <StatusTag tone={tones[state]}>{t(`history.state.${state}`)}</StatusTag>
              </p>
              <ul>
                {lines.map(({ text, until }) => (
                  <li key={text}>
                    {until === null ? (
                      text
                    ) : (
                      <span className="text-ink-2">
                        <s>{text}</s> {t('history.until', { moment: moment(until) })}
                      </span>
                    )}
                  </li>
                ))}
              </ul>
              {reason === '' ? null : <p>{t('history.reason', { reason })}</p>}
              <p className="text-ink-2">
                {who === null
                  ? t('history.service')
                  : t('history.decided', { who, moment: moment(decidedAt) })}
                {confirmedBy === null ? null : ` ${t('history.confirmed', { who: confirmedBy })}`}
                {alone ? ` ${t('history.alone')}` : null}
              </p>
              {state === 'planned' ? (
                <RowAction intent="withdraw" name="change" value={id}>
                  {t('history.withdraw')}
                </RowAction>
              ) : null}
            </li>
          ),
        )}
      </ol>
    </section>
  );
}

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
    <DeskPage>
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
