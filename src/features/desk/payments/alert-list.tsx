import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatDate, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import type { Translate } from '~/base/read-text.ts';
import { formatMoney } from '~/base/money.ts';
import { Button } from '~/ui/button.tsx';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import type { FieldProblem } from '~/ui/fields/error-summary.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { FAILURES } from '~/features/payment/outage/failures.ts';
import { formatCount } from '../frame/formats.ts';
import { LONGEST_NOTE, type AlertFact } from './alert-facts.ts';
import type { AlertRow } from './payments.server.ts';
import { OrderLink } from './payments-table.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { ResolveError } from './resolve-alert.server.ts';

type Problem = { alertId: string; note: string; error: ResolveError };

/** Alerts about money, with a form to resolve each. */
export function AlertList({
  alerts: { open, openCount, resolved },
  mayResolve,
  problem,
}: {
  alerts: { open: AlertRow[]; openCount: number; resolved: AlertRow[] };
  mayResolve: boolean;
  problem: Problem | undefined;
}) {
  const { t } = useTranslation('books');
  return (
    <>
      {open.length === 0 ? <p className="text-ink-2">{t('alerts.none')}</p> : null}
      <Alerts tone="*:border-s-amber">
        {open.map((alert) => (
          <li data-testid="alert" key={alert.id}>
            <AlertHead alert={alert} />
            {mayResolve ? (
              <ResolveForm
                id={alert.id}
                problem={problem?.alertId === alert.id ? problem : undefined}
              />
            ) : null}
          </li>
        ))}
      </Alerts>
      {openCount > open.length ? (
        <p className="text-ink-2">{t('alerts.more', { count: openCount - open.length })}</p>
      ) : null}
      {resolved.length === 0 ? null : (
        <details className="desk-more">
          <summary>{t('alerts.resolved')}</summary>
          <Alerts tone="*:border-s-line-2">
            {resolved.map((alert) => (
              <li key={alert.id}>
                <AlertHead alert={alert} />
                <Resolution alert={alert} />
              </li>
            ))}
          </Alerts>
        </details>
      )}
    </>
  );
}

/** `tone`: the colour of the line before each. */
function Alerts({ tone, children }: { tone: string; children: ReactNode }) {
  return (
    <ul
      className={classNames(
        'grid grid-cols-1 gap-3 *:grid *:grid-cols-1 *:gap-2 *:rounded-field *:border *:border-s-3 *:border-line-2 *:px-4 *:py-3.5',
        tone,
      )}
    >
      {children}
    </ul>
  );
}

function AlertHead({ alert }: { alert: AlertRow }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  return (
    <>
      <h3 className="flex items-center gap-2 text-sm">
        <Icon name={alert.resolved ? 'check' : 'alert'} size={18} />
        {t(`alerts.kind.${alert.kind}.title`)}
      </h3>
      <p>{t(`alerts.kind.${alert.kind}.text`, { failures: FAILURES })}</p>
      <dl className="flex flex-wrap gap-x-7 gap-y-1.5 [&_.number-code]:text-fine/5 [&_a]:-my-2.5 [&_dd]:wrap-anywhere [&_dt]:text-fine [&_dt]:text-ink-2">
        <div>
          <dt>{t('alerts.raised')}</dt>
          <dd>{formatMoment(alert.raisedAt, language, UTC, 'dated')}</dd>
        </div>
        {alert.reference === null ? null : (
          <div>
            <dt>{t('payments.order')}</dt>
            <dd>
              <OrderLink reference={alert.reference} />
            </dd>
          </div>
        )}
        {alert.facts.map((fact) => (
          <div key={fact.key}>
            <dt>{t(`alerts.fact.${fact.key}`)}</dt>
            <dd>
              <FactValue fact={fact} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function FactValue({ fact }: { fact: AlertFact }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  if ('amount' in fact) return <bdi>{formatMoney(fact.amount, language)}</bdi>;
  if (fact.key === 'partner') return t(`provider.${fact.text}`, { defaultValue: fact.text });
  const day = fact.key === 'day' ? parseDate(fact.text) : null;
  return day ? formatDate(day, language) : <bdi dir="ltr">{fact.text}</bdi>;
}

function ResolveForm({ id, problem }: { id: string; problem: Problem | undefined }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  return (
    <details className="desk-more" open={problem !== undefined}>
      <summary>{t('alerts.resolve')}</summary>
      <Form
        action="?"
        className="grid max-w-[640px] grid-cols-1 justify-items-start gap-3"
        id={`resolve-${id}`}
        method="post"
      >
        <input name="alert" type="hidden" value={id} />
        <TextArea
          defaultValue={problem?.note}
          error={problem ? errorText(problem.error, t, language) : undefined}
          hint={t('alerts.noteHint')}
          label={t('alerts.note')}
          maxLength={LONGEST_NOTE}
          name={`note-${id}`}
          required
        />
        <Button>{t('alerts.submit')}</Button>
      </Form>
    </details>
  );
}

/** What is wrong with the note of an alert, as a line of the page's summary; no link where the alert is no longer open. */
export function useAlertProblems(
  problem: Problem | undefined,
  open: readonly AlertRow[],
): FieldProblem[] {
  const { t } = useTranslation('books');
  const language = useLanguage();
  if (!problem) return [];
  const { alertId, error } = problem;
  const isOpen = open.some(({ id }) => id === alertId);
  return [{ name: isOpen ? `note-${alertId}` : null, message: errorText(error, t, language) }];
}

function errorText(
  error: ResolveError,
  t: Translate,
  language: ReturnType<typeof useLanguage>,
): string {
  if (error.code !== 'already_resolved') {
    return t(`books:alerts.error.${error.code}`, { limit: formatCount(LONGEST_NOTE, language) });
  }
  return t('books:alerts.error.already_resolved', {
    name: error.by ?? t('books:someone'),
    moment: formatMoment(error.at, language, UTC, 'dated'),
  });
}

function Resolution({ alert: { resolved } }: { alert: AlertRow }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  if (!resolved) return null;
  const moment = formatMoment(resolved.at, language, UTC, 'dated');
  return (
    <blockquote className="border-s-2 border-line-2 ps-3 whitespace-pre-line">
      {resolved.isByItself ? null : <p dir="auto">{resolved.note}</p>}
      <footer className="text-fine text-ink-2">
        {resolved.isByItself
          ? t('alerts.byItself', { moment })
          : t('alerts.resolvedBy', { name: resolved.by ?? t('someone'), moment })}
      </footer>
    </blockquote>
  );
}
