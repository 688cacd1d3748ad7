import { useState } from 'react';
import { Form } from 'react-router';
import { partsTyped } from '~/base/dates/dates.ts';
import { isInHand } from '~/features/application/queue-group.ts';
import { Button } from '~/ui/button.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { blockedProps } from '../frame/announcer.tsx';
import { PutOffText } from '../frame/queue-row-state.tsx';
import { isActionOffered, keyOf } from './case-actions.ts';
import { useCase, useProblem } from './case.tsx';
import {
  MAX_PUT_OFF_LENGTH,
  PUT_OFF_HOURS,
  putOffEnds,
  putOffFields,
  putOffReasons,
} from './put-off.ts';

/** Until when the application is put off, by whom and why, with a button that takes it back. */
export function PutOffNotice() {
  const { application, caseFile, viewer } = useCase();
  const { t } = useTranslation('desk');
  const { putOff } = caseFile;
  if (!putOff || !isInHand(application) || application.pausedAt) return null;
  return (
    <Notice title={<PutOffText {...putOff} />} tone="blue">
      <p dir="auto">{putOff.words ?? t(`putOff.reason.${putOff.reason}`)}</p>
      {isActionOffered('resume', application, viewer.role) ? (
        <Form method="post" preventScrollReset>
          <button className="link-button" name="intent" value="resume" {...keyOf('resume')}>
            {t('putOff.resume')}
          </button>
        </Form>
      ) : null}
    </Notice>
  );
}

/** Puts the application off: why, and until when. Taking the next one passes it over until then. */
export function PutOffForm() {
  const { forms: application, block, caseFile, viewer } = useCase();
  const { problem, text, field } = useProblem('put_off');
  const { t } = useTranslation('desk');
  const hasScripts = useHasScripts();
  const typed = problem?.typed ?? {};
  const [reason, setReason] = useState(typed[putOffFields.reason] ?? 'later');
  const [end, setEnd] = useState(typed[putOffFields.end] ?? 'hours');
  const errorAt = (name: string) => (field === name ? text : null);
  const isOffered = isActionOffered('put_off', application, viewer.role);
  // To change it, it is brought back first.
  const isClosed = caseFile.putOff || !isInHand(application) || application.pausedAt;
  if (!isOffered || (isClosed && !problem)) return null;
  return (
    <details className="desk-more" id="put-off" open={problem !== null || undefined}>
      <summary {...keyOf('put_off')}>{t('putOff.title')}</summary>
      <Form className="grid gap-2.5 pt-1 pb-3" method="post" preventScrollReset>
        <p className="text-ink-2">{t('putOff.lead')}</p>
        <SelectField
          defaultValue={reason}
          error={errorAt(putOffFields.reason)}
          label={t('putOff.why')}
          name={putOffFields.reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          options={putOffReasons.map((value) => ({ value, label: t(`putOff.reason.${value}`) }))}
        />
        {reason === 'other' || !hasScripts ? (
          <TextField
            defaultValue={typed[putOffFields.words]}
            dir="auto"
            error={errorAt(putOffFields.words)}
            label={t('putOff.words')}
            maxLength={MAX_PUT_OFF_LENGTH}
            name={putOffFields.words}
          />
        ) : null}
        <SelectField
          defaultValue={end}
          error={errorAt(putOffFields.end)}
          label={t('putOff.until')}
          name={putOffFields.end}
          onChange={({ currentTarget }) => setEnd(currentTarget.value)}
          options={putOffEnds.map((value) => ({
            value,
            label: t(`putOff.end.${value}`, { count: PUT_OFF_HOURS }),
          }))}
        />
        {end === 'day' || !hasScripts ? (
          <DateField
            defaultValue={partsTyped(typed, putOffFields.day)}
            error={errorAt(putOffFields.day)}
            label={t('putOff.day')}
            name={putOffFields.day}
          />
        ) : null}
        <Button {...blockedProps(block)} look="secondary" name="intent" small value="put_off" wide>
          {t('putOff.send')}
        </Button>
      </Form>
    </details>
  );
}
