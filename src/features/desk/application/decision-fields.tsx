import { useState, type ComponentProps, type KeyboardEvent } from 'react';
import { partsTyped } from '~/base/dates/dates.ts';
import { MAX_CORRECTION_NOTE_LENGTH } from '~/features/application/correction/correction.ts';
import { rejectionCodesByKind } from '~/features/application/rejection.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { REASON_CODE } from './case-actions.ts';
import { MentionList } from './case.tsx';
import { MAX_REJECTION_REASON_LENGTH } from './decision-types.ts';
import { MAX_STAFF_NOTE_LENGTH, type MentionablePerson } from './note.ts';
import {
  MAX_PUT_OFF_LENGTH,
  PUT_OFF_HOURS,
  putOffEnds,
  putOffFields,
  putOffReasons,
} from './put-off.ts';

type Kind = 'visa' | 'insurance';
type Area = Omit<ComponentProps<typeof TextArea>, 'name' | 'label' | 'maxLength' | 'dir'>;

/** The reason of a rejection, of the list, for one application or several. */
export function ReasonField({
  kind,
  ...field
}: { kind: Kind } & Omit<ComponentProps<typeof SelectField>, 'name' | 'label' | 'options'>) {
  const { t } = useTranslation(['decision', 'rejection']);
  return (
    <SelectField
      {...field}
      emptyLabel={t('reject.choose')}
      label={t('reject.reason')}
      name={REASON_CODE}
      options={rejectionCodesByKind(kind).map((code) => ({
        value: code,
        label: t(`rejection:reason.${code}`),
      }))}
      width="full"
    />
  );
}

/** What the traveller reads of it in addition. */
export function ReasonWords(area: Area) {
  const { t } = useTranslation('decision');
  return (
    <TextArea
      {...area}
      dir="auto"
      hint={t('reject.wordsHint')}
      label={t('reject.words')}
      maxLength={MAX_REJECTION_REASON_LENGTH}
      name="reason"
    />
  );
}

/** The answers that a correction reopens; the first box may have an id of its own. */
export function ReopenedFields({
  kind,
  fields,
  firstId,
  ticked = [],
  onTick,
}: {
  kind: Kind;
  fields: readonly string[];
  firstId?: string;
  ticked?: readonly string[] | undefined;
  onTick?: (field: string, box: HTMLInputElement) => void;
}) {
  const { t } = useTranslation(['desk', 'visa', 'insurance']);
  return (
    <div
      className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-x-3"
      onKeyDown={walkRound}
      role="presentation"
    >
      {fields.map((field, index) => (
        <CheckBox
          defaultChecked={ticked.includes(field)}
          id={index === 0 && firstId !== undefined ? firstId : `reopen-${field}`}
          key={field}
          label={t(`${kind}:labels.${field}`, field)}
          name={`reopen-${field}`}
          onChange={onTick && (({ currentTarget }) => onTick(field, currentTarget))}
        />
      ))}
    </div>
  );
}

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Arrow keys lead round the boxes, so that none of them is far. */
function walkRound(event: KeyboardEvent<HTMLElement>) {
  const step = STEPS[event.key];
  if (step === undefined) return;
  const boxes = [...event.currentTarget.querySelectorAll('input')];
  const at = boxes.findIndex((box) => box === event.target);
  boxes.at((at + step) % boxes.length)?.focus();
  event.preventDefault();
}

/** What the traveller is told to correct. */
export function CorrectionNote(area: Area) {
  const { t } = useTranslation('desk');
  return (
    <TextArea
      {...area}
      dir="auto"
      label={t('correction.note')}
      maxLength={MAX_CORRECTION_NOTE_LENGTH}
      name="note"
    />
  );
}

/** Why, and until when. `errorAt`: what is wrong with a field. */
export function PutOffFields({
  typed,
  errorAt,
}: {
  typed: Readonly<Record<string, string>>;
  errorAt: (field: string) => string | null;
}) {
  const { t } = useTranslation('desk');
  const hasScripts = useHasScripts();
  const [reason, setReason] = useState(typed[putOffFields.reason] ?? 'later');
  const [end, setEnd] = useState(typed[putOffFields.end] ?? 'hours');
  return (
    <>
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
    </>
  );
}

/** To whom, and with which note. */
export function AssignFields({
  colleagues,
  viewer,
  error,
  typed,
}: {
  colleagues: readonly MentionablePerson[];
  viewer: { id: string };
  error: string | null;
  typed: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation('for-you');
  return (
    <>
      <SelectField
        defaultValue={typed.colleague ?? ''}
        emptyLabel={t('assign.choose')}
        error={error}
        label={t('assign.to')}
        name="colleague"
        options={colleagues.map(({ id, name }) => ({
          value: id,
          label: id === viewer.id ? t('assign.me', { name }) : name,
        }))}
        required
      />
      <TextArea
        defaultValue={typed.assignNote}
        dir="auto"
        label={t('assign.note')}
        maxLength={MAX_STAFF_NOTE_LENGTH}
        name="assignNote"
        rows={2}
      />
      <MentionList into="assignNote" people={colleagues.filter(({ id }) => id !== viewer.id)} />
    </>
  );
}
