import { useTranslation } from '~/ui/texts/texts.tsx';
import { AzLines, AzPreview } from '~/ui/gallery/az-preview.tsx';
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
      <AzPreview
        confirmLabel={t('labels.nameConfirmed')}
        defaultChecked={form.start.nameConfirmed === 'yes'}
        error={form.errorAt('nameConfirmed')}
        label={t('details.lines')}
        name="nameConfirmed"
        value={lines}
      />
      <p className="field-hint">{t('details.respelt')}</p>
    </div>
  );
}
