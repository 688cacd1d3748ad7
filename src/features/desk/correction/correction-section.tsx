import { useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { LONGEST_NOTE } from '~/features/application/correction/correction.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldError } from '~/ui/fields/field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { correctableOf } from './correctable.ts';
import { ChangedAnswers, CorrectionChanges } from './correction-changes.tsx';
import type { Detail } from '../records/detail.server.ts';
import { BlockNotice, disabledBy, type Block } from '../frame/block-notice.tsx';
import { noteWith, type OfferedTemplates } from '../templates/offered-template.ts';
import { TemplatePreview } from '../templates/template-preview.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The name of the choice of fields: its first box carries it as `id`. */
export const CORRECTION_FIELDS = 'reopen';

/** For a paid, undecided application: what the traveller changed, what they were asked for, and the form to ask. */
export function CorrectionSection(props: Asking) {
  const { decidedAt, pausedAt, paid, corrections } = props.application;
  // What waits to be checked stands on top of the panel.
  const answered = corrections.filter(
    ({ answeredAt, checkedAt }) => answeredAt && (checkedAt || decidedAt || pausedAt),
  );
  return (
    <>
      {answered.map((one) => (
        <CorrectionChanges correction={one} key={one.id} kind={props.application.kind} />
      ))}
      {paid && !decidedAt ? <Request {...props} /> : null}
    </>
  );
}

/** The traveller has corrected answers that nobody has checked yet. */
export function CorrectedNotice({
  application: { corrections, decidedAt, kind, pausedAt },
  mayAct,
}: {
  application: Detail;
  mayAct: boolean;
}) {
  const { t } = useTranslation('decision');
  const language = useLanguage();
  const unchecked = corrections.filter(({ answeredAt, checkedAt }) => answeredAt && !checkedAt);
  const answer = unchecked[0]?.answeredAt;
  if (!answer || decidedAt || pausedAt) return null;
  return (
    <Notice
      title={t('correction.corrected', { moment: formatMoment(answer, language, UTC, 'dated') })}
      tone="amber"
    >
      <div className="desk-facts">
        {unchecked.map((one) => (
          <ChangedAnswers correction={one} key={one.id} kind={kind} />
        ))}
      </div>
      {mayAct ? (
        <Form method="post" preventScrollReset>
          <button className="link-button" name="intent" value="checked">
            {t('correction.checked')}
          </button>
        </Form>
      ) : null}
    </Notice>
  );
}

type Asking = {
  application: Detail;
  mayAct: boolean;
  /** Why its forms must not be sent now. */
  block: Block | null;
  /** The note typed before an error. */
  note: string;
  /** Why nothing was asked: about the fields, or else about the note. */
  error: { isAboutFields: boolean; text: string } | null;
  templates: OfferedTemplates | null;
};

function Request({ application, mayAct, block, note, error, templates }: Asking) {
  const { pausedAt, corrections } = application;
  const [latest] = corrections;
  const open = corrections.find((one) => !one.answeredAt && !one.closedAt);
  if (pausedAt && open)
    return <Waiting application={application} mayAct={mayAct && !block} open={open} />;
  return (
    <>
      {latest?.expiredAt ? <NoAnswer at={latest.expiredAt} /> : null}
      {mayAct ? (
        <AskForm
          application={application}
          block={block}
          error={error}
          note={note}
          templates={templates}
        />
      ) : null}
    </>
  );
}

function NoAnswer({ at }: { at: Date }) {
  const { t } = useTranslation('decision');
  const moment = formatMoment(at, useLanguage(), UTC, 'dated');
  return (
    <Notice title={t('correction.noAnswer')} tone="amber">
      <p>{t('correction.noAnswerSince', { moment })}</p>
    </Notice>
  );
}

function Waiting({
  application: { kind, emailLanguage },
  open,
  mayAct,
}: Pick<Asking, 'application' | 'mayAct'> & { open: Detail['corrections'][number] }) {
  const { t } = useTranslation(['desk', 'decision', 'visa', 'insurance']);
  const language = useLanguage();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <Notice title={t('correction.waiting', { moment: moment(open.askedAt) })} tone="amber">
      <p>{open.fields.map((field) => t(`${kind}:labels.${field}`, field)).join(' · ')}</p>
      <p className="whitespace-pre-line text-ink" dir="auto" lang={emailLanguage}>
        {open.note}
      </p>
      <p>{t('correction.paused')}</p>
      <p>
        {t(open.remindedAt ? 'decision:correction.reminded' : 'decision:correction.until', {
          moment: moment(open.answerBy),
        })}
      </p>
      {mayAct ? (
        <Form method="post" preventScrollReset>
          <button className="link-button" name="intent" value="withdraw">
            {t('correction.withdraw')}
          </button>
        </Form>
      ) : null}
    </Notice>
  );
}

function AskForm({ application, block, note, error, templates }: Omit<Asking, 'mayAct'>) {
  const { t } = useTranslation(['desk', 'visa', 'insurance']);
  const { kind } = application;
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const textOf = (field: string) => templates?.correction[field];
  const tick = (field: string, { checked, form }: HTMLInputElement) => {
    setTicked((before) => [...before.filter((one) => one !== field), ...(checked ? [field] : [])]);
    const text = textOf(field)?.sent;
    const area = form?.elements.namedItem('note');
    if (text !== undefined && area instanceof HTMLTextAreaElement) {
      area.value = noteWith(area.value, text, checked);
    }
  };
  return (
    <details
      className="desk-facts desk-more"
      id="correction"
      open={note !== '' || error !== null || undefined}
    >
      <summary>{t('correction.title')}</summary>
      <Form className="grid grid-cols-1 gap-3.5" method="post" preventScrollReset>
        <p className="text-ink-2">{t('correction.lead')}</p>
        <fieldset>
          <legend className="mb-1 font-semibold">{t('correction.fields')}</legend>
          <FieldError error={error?.isAboutFields ? error.text : null} name={CORRECTION_FIELDS} />
          <div className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-x-3">
            {correctableOf(application).map((field, index) => (
              <CheckBox
                id={index === 0 ? CORRECTION_FIELDS : `reopen-${field}`}
                key={field}
                label={t(`${kind}:labels.${field}`, field)}
                name={`reopen-${field}`}
                onChange={({ currentTarget }) => tick(field, currentTarget)}
              />
            ))}
          </div>
        </fieldset>
        <TextArea
          defaultValue={note}
          dir="auto"
          error={error && !error.isAboutFields ? error.text : null}
          hint={t('correction.noteHint')}
          label={t('correction.note')}
          lang={application.emailLanguage}
          maxLength={LONGEST_NOTE}
          name="note"
          rows={4}
        />
        {templates?.isForeign ? (
          <TemplatePreview
            chosen={ticked.flatMap((field) => textOf(field) ?? [])}
            templates={templates}
          />
        ) : null}
        <BlockNotice block={block} />
        <Button {...disabledBy(block)} look="secondary" name="intent" small value="correction" wide>
          {t('correction.send')}
        </Button>
      </Form>
    </details>
  );
}
