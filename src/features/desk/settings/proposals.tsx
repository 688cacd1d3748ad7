import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { Button } from '~/ui/button.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Actions } from '../frame/panel.tsx';
import { ChangeTable } from './parts.tsx';
import type { ShownProposals, WaitingProposal } from './proposals.server.ts';
import type { SettingsAnswer } from './submit-section.server.ts';

/** What waits for a second administrator, with what each may do about it. */
export function WaitingProposals({
  proposals: { waiting, hasSecond, isAlone },
  answer,
}: {
  proposals: ShownProposals;
  answer: SettingsAnswer | undefined;
}) {
  const { t } = useTranslation('settings');
  return (
    <>
      <Notice tone="blue">
        {t(isAlone ? 'proposal.alone' : hasSecond ? 'proposal.two' : 'proposal.nobody')}
      </Notice>
      {waiting.length === 0 ? null : (
        <section aria-labelledby="proposals">
          <h2 id="proposals">{t('proposal.title')}</h2>
          <ol className="grid gap-6">
            {waiting.map((one) => (
              <li className="grid gap-3 wrap-anywhere" key={one.id}>
                <Waiting answer={answer} one={one} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Waiting({
  one: { id, who, isOwn, proposedAt, validFrom, reason, rows, isOutdated },
  answer,
}: {
  one: WaitingProposal;
  answer: SettingsAnswer | undefined;
}) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const moment = (at: number) => formatMoment(new Date(at), language, UTC, 'dated');
  const problem = answer?.problems.find(({ name }) => name === `why-${id}`);
  return (
    <>
      <p>
        <strong>{t('proposal.by', { who, moment: moment(proposedAt) })}</strong>
      </p>
      <p>
        {validFrom === null
          ? t('proposal.now')
          : t('proposal.later', { moment: moment(validFrom) })}
      </p>
      <ChangeTable rows={rows} />
      <p>{t('history.reason', { reason })}</p>
      {isOutdated ? <Notice tone="amber">{t('proposal.outdated')}</Notice> : null}
      {isOwn ? (
        <>
          <p className="text-ink-2">{t('proposal.own')}</p>
          <Form method="post">
            <input name="proposal" type="hidden" value={id} />
            <Button look="secondary" name="intent" small value="withdraw_proposal">
              {t('proposal.withdraw')}
            </Button>
          </Form>
        </>
      ) : (
        <>
          {isOutdated ? null : (
            <Form method="post">
              <input name="proposal" type="hidden" value={id} />
              <Button name="intent" small value="confirm">
                {t('proposal.confirm')}
              </Button>
            </Form>
          )}
          <details className="desk-more" open={problem !== undefined}>
            <summary>{t('proposal.declineOpen')}</summary>
            <Form className="mt-3" method="post" noValidate>
              <input name="proposal" type="hidden" value={id} />
              <TextArea
                defaultValue={answer?.typed[`why-${id}`] ?? ''}
                error={problem?.message}
                hint={t('proposal.whyHint', { who })}
                label={t('proposal.why')}
                name={`why-${id}`}
              />
              <Actions>
                <Button look="secondary" name="intent" small value="decline">
                  {t('proposal.decline')}
                </Button>
              </Actions>
            </Form>
          </details>
        </>
      )}
    </>
  );
}

/** The last proposals that came to nothing, with the reason. */
export function EndedProposals({ proposals: { ended } }: { proposals: ShownProposals }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const moment = (at: number) => formatMoment(new Date(at), language, UTC, 'dated');
  if (ended.length === 0) return null;
  return (
    <section aria-labelledby="ended-proposals">
      <h2 id="ended-proposals">{t('proposal.ended')}</h2>
      <ol className="grid gap-3.5">
        {ended.map(({ id, who, proposedAt, state, by, at, why, rows }) => (
          <li
            className="grid gap-1 border-b border-line pb-3.5 wrap-anywhere last:border-b-0"
            key={id}
          >
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <strong>{t('proposal.by', { who, moment: moment(proposedAt) })}</strong>{' '}
              <StatusTag tone={state === 'declined' ? 'red' : 'neutral'}>
                {t(`proposal.state.${state}`)}
              </StatusTag>
            </p>
            <ul>
              {rows.map(({ label, after }) => (
                <li key={label}>
                  {label}: {after ?? t('confirm.nothing')}
                </li>
              ))}
            </ul>
            <p className="text-ink-2">
              {state === 'declined'
                ? t('proposal.declinedBy', { who: by, moment: moment(at), why: why ?? '' })
                : t('proposal.withdrawnAt', { moment: moment(at) })}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
