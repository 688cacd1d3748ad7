import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { isRespelt, machineReadable } from '~/features/application/machine-readable.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { ONE_NAME } from '~/features/form/answers/one-name.ts';
import type { FieldErrors } from '~/features/form/page/use-field-errors.tsx';

/**
 * The name as the machine-readable lines print it. Must be confirmed where they spell it with other letters than were
 * typed; otherwise only shown.
 */
export function NameLines({ form }: { form: FieldErrors<'nameConfirmed'> & { typed: Typed } }) {
  const { t } = useTranslation('visa');
  const { lastName = '' } = form.typed;
  const firstName = form.typed[ONE_NAME] ? '' : (form.typed.firstName ?? '');
  const names = [lastName, firstName].map(machineReadable);
  const lines = names
    .flatMap((name) => (name.ok && name.text !== '' ? [name.text] : []))
    .join(', ');
  const isEmpty = names.some((name) => !name.ok) || lines === '';
  if (isEmpty) return null;
  if (!isRespelt(firstName) && !isRespelt(lastName)) {
    return <AzLines label={t('details.lines')} value={lines} />;
  }
  return (
    <div>
      <AzLines label={t('details.lines')} value={lines}>
        <CheckBox
          defaultChecked={form.start.nameConfirmed === 'yes'}
          error={form.errorAt('nameConfirmed')}
          label={t('labels.nameConfirmed')}
          name="nameConfirmed"
        />
      </AzLines>
      <p className="field-hint">{t('details.respelt')}</p>
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
        <output
          className="mono block text-start text-[1rem] leading-[1.5rem] text-ink rtl:text-right"
          dir="ltr"
        >
          {value}
        </output>
      </div>
      {children}
    </div>
  );
}
