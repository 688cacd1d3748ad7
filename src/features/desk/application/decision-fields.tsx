import type { ComponentProps, KeyboardEvent } from 'react';
import { MAX_CORRECTION_NOTE_LENGTH } from '~/features/application/correction/correction.ts';
import { rejectionCodesByKind } from '~/features/application/rejection.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { REASON_CODE } from './case-actions.ts';
import { MAX_REJECTION_REASON_LENGTH } from './decision-types.ts';

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
