import { readParts, formatMoment, UTC } from '~/base/dates/dates.ts';
import { Form } from 'react-router';
import { Button } from '~/ui/button.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { FormPage } from '../frame/desk-page.tsx';
import { Actions, RowAction } from '../frame/panel.tsx';
import type { Route } from './+types/section.ts';
import { ChangeTable, Controls, Parts, TextLink, type FormValues } from './parts.tsx';
import { loadSection, type PastChange, type SectionPage } from './sections.server.ts';
import { SETTINGS } from './sections.ts';
import { submitSection, type SettingsAnswer } from './submit-section.server.ts';
import type { ShownProposals } from './proposals.server.ts';

export const shouldRevalidate = () => true;

export const loader = (args: Route.LoaderArgs) => loadSection(args);
export const action = (args: Route.ActionArgs) => submitSection(args);

/**
 * The page of every section: the result, the form or the preview of what it would change, and all earlier decisions. Both
 * have one address, so that they work without scripts.
 */
export default function Section({ loaderData: page, actionData: answer }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { title, lead, up, done, proposals, above = [], below = [] } = page;
  return (
    <FormPage
      done={done && !answer ? t(`done.${done}`) : null}
      lead={lead}
      problems={answer?.problems}
      title={title}
      up={up ?? { to: SETTINGS, label: t('up.settings') }}
    >
      <Parts parts={above} />
      {proposals ? <WaitingProposals answer={answer} proposals={proposals} /> : null}
      {answer?.preview ? (
        <Preview preview={answer.preview} typed={answer.typed} />
      ) : (
        <DecisionForm answer={answer} key={`${title} ${page.form.about ?? ''}`} page={page} />
      )}
      {answer ? null : <Parts parts={below} />}
      {proposals ? <EndedProposals proposals={proposals} /> : null}
      <History history={page.history} />
    </FormPage>
  );
}

function DecisionForm({ page, answer }: { page: SectionPage; answer: SettingsAnswer | undefined }) {
  const { t } = useTranslation('settings');
  const { form, version, isAtOnce } = page;
  const typed = answer?.typed ?? {};
  const values: FormValues = {
    value: (name, shown = '') => typed[name] ?? shown,
    errorAt: (name) => answer?.problems.find((problem) => problem.name === name)?.message,
  };
  const controls = form.sendsShown ? form.groups.flatMap(({ rows }) => rows.flat()) : [];
  const hidden = [
    ...Object.entries(form.hidden ?? {}),
    ...controls.map((one) => [`was-${one.name}`, one.value] as const),
  ];
  return (
    <section>
      <h2 id="form">{form.title ?? t('form.title')}</h2>
      <Form method="post" noValidate>
        <input name="version" readOnly type="hidden" value={version} />
        {hidden.map(([name, value]) => (
          <input key={name} name={name} readOnly type="hidden" value={values.value(name, value)} />
        ))}
        {form.texts?.map((text) => (
          <p className="text-ink-2" key={text}>
            {text}
          </p>
        ))}
        {form.link ? <TextLink link={form.link} /> : null}
        <Controls form={values} groups={form.groups} />
        {isAtOnce ? null : <When form={values} />}
        <TextArea
          defaultValue={values.value('reason')}
          error={values.errorAt('reason')}
          hint={t('form.reasonHint')}
          label={t('form.reason')}
          name="reason"
        />
        <Button name="intent" small value="review">
          {t('form.review')}
        </Button>
      </Form>
    </section>
  );
}

function When({ form: { value, errorAt } }: { form: FormValues }) {
  const { t } = useTranslation('settings');
  return (
    <>
      <RadioList
        defaultValue={value('from', 'now')}
        error={errorAt('from')}
        label={t('form.from')}
        name="from"
        options={[
          { value: 'now', label: t('form.now') },
          { value: 'later', label: t('form.later') },
        ]}
      />
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3.5">
        <DateField
          defaultValue={readParts(value, 'date')}
          error={errorAt('date')}
          hint={t('form.dateHint')}
          label={t('form.date')}
          name="date"
        />
        <TextField
          defaultValue={value('time', '00:00')}
          inputMode="numeric"
          label={t('form.time')}
          latin
          maxLength={5}
          name="time"
          width="short"
        />
      </div>
    </>
  );
}

/** What will change, before it is saved. The form's values are repeated in hidden controls. */
function Preview({
  preview: { rows, notes, validFrom, isProposal },
  typed,
}: Pick<SettingsAnswer, 'typed'> & { preview: NonNullable<SettingsAnswer['preview']> }) {
  const { t, language } = useTranslation('settings');
  const moment =
    validFrom === null ? null : formatMoment(new Date(validFrom), language, UTC, 'long');
  return (
    <section>
      <h2 id="confirm">{t('confirm.title')}</h2>
      <p>
        {moment === null
          ? t(isProposal ? 'proposal.now' : 'confirm.now')
          : t(isProposal ? 'proposal.later' : 'confirm.later', { moment })}
      </p>
      <ChangeTable rows={rows} />
      {isProposal ? <Notice tone="blue">{t('proposal.preview')}</Notice> : null}
      {notes.map((note) => (
        <Notice key={note} tone="blue">
          {note}
        </Notice>
      ))}
      <p>{t('history.reason', { reason: typed['reason'] })}</p>
      <Form method="post">
        {Object.entries(typed).map(([name, value]) => (
          <input key={name} name={name} readOnly type="hidden" value={value} />
        ))}
        <Actions>
          <Button name="intent" small value="save">
            {t(isProposal ? 'proposal.save' : 'confirm.save')}
          </Button>
          <Button look="plain" name="intent" small value="edit">
            {t('confirm.edit')}
          </Button>
        </Actions>
      </Form>
    </section>
  );
}

const tones: Record<PastChange['state'], StatusTone> = {
  in_force: 'green',
  superseded: 'blue',
  planned: 'amber',
  withdrawn: 'red',
};

/** Every decision of a section, latest first. Planned ones can be withdrawn. */
function History({ history }: { history: readonly PastChange[] }) {
  const { t, language } = useTranslation('settings');
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

/** What waits for a second administrator, with what each may do about it. */
function WaitingProposals({
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
  one: ShownProposals['waiting'][number];
  answer: SettingsAnswer | undefined;
}) {
  const { t, language } = useTranslation('settings');
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
function EndedProposals({ proposals: { ended } }: { proposals: ShownProposals }) {
  const { t, language } = useTranslation('settings');
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
