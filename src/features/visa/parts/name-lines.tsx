import { useState, type ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Announced } from '~/ui/announced.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { isRespelt, machineReadable } from '~/features/application/machine-readable.ts';
import { type TypedAnswers, ONE_NAME } from '~/features/form/answers/controls.ts';
import type { FieldErrors } from '~/features/form/page/use-field-errors.tsx';

/**
 * The name as the machine-readable lines print it, below its questions. Must be confirmed where they spell it with other
 * letters than were typed; otherwise only shown. Screen readers are told of the box once a name is left, not at each key.
 */
export function NameLines({
  form,
  children,
}: {
  form: FieldErrors<'nameConfirmed'> & { typed: TypedAnswers };
  /** The questions, where the answers are followed as they are typed. */
  children?: ReactNode;
}) {
  const { t } = useTranslation('visa');
  const { lastName = '' } = form.typed;
  const firstName = form.typed[ONE_NAME] ? '' : (form.typed.firstName ?? '');
  const names = [lastName, firstName].map(machineReadable);
  const lines = names
    .flatMap((name) => (name.ok && name.text !== '' ? [name.text] : []))
    .join(', ');
  const isShown = names.every((name) => name.ok) && lines !== '';
  const isAsked = isShown && (isRespelt(firstName) || isRespelt(lastName));
  const isWhole = lastName !== '' && (firstName !== '' || Boolean(form.typed[ONE_NAME]));
  const box = t('labels.nameConfirmed');
  const [said, setSaid] = useState('');
  const toSay =
    isAsked && isWhole && form.typed.nameConfirmed !== 'yes'
      ? t('details.matches', { name: lines, box })
      : '';
  return (
    <div className="contents" onBlur={() => setSaid(toSay)}>
      {children}
      {isAsked ? (
        <div>
          <AzLines label={t('details.lines')} value={lines}>
            <CheckBox
              defaultChecked={form.start.nameConfirmed === 'yes'}
              error={form.errorAt('nameConfirmed')}
              label={box}
              name="nameConfirmed"
            />
          </AzLines>
          <p className="field-hint">{t('details.respelt')}</p>
        </div>
      ) : isShown ? (
        <AzLines label={t('details.lines')} value={lines} />
      ) : null}
      <Announced>{said}</Announced>
    </div>
  );
}

/** A name as the machine-readable lines of a passport print it. A message needs the whole width of the strip. */
function AzLines({
  label,
  value,
  children,
}: {
  label: ReactNode;
  value: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="grid gap-x-6 gap-y-2 rounded-field bg-turquoise-pale px-4 py-3.5 wide:grid-cols-[minmax(0,1fr)_auto] wide:items-center wide:has-[.field-error]:grid-cols-1">
      <div className="text-hint text-ink-2">
        <p>{label}</p>
        <p
          className="mono block text-start text-[1rem] leading-[1.5rem] text-ink rtl:text-right"
          dir="ltr"
        >
          {value}
        </p>
      </div>
      {children}
    </div>
  );
}
