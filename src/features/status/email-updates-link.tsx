import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { BirthDateForm } from './birth-date-form.tsx';
import { EMAILS, type RefusedDate } from './status-view.ts';

/** Turns the emails off or on that are not needed; opened by the date of birth, like a download. */
export function EmailUpdatesLink({
  number,
  isOn,
  isAsked,
  refused,
}: {
  number: string;
  isOn: boolean;
  isAsked: boolean;
  /** The date of birth that was refused. */
  refused: RefusedDate | null;
}) {
  const { t } = useTranslation('application');
  const label = t(isOn ? 'emails.on' : 'emails.off');
  if (isAsked) {
    return (
      <>
        <p className="font-semibold">{label}</p>
        <BirthDateForm
          label={t('emails.open')}
          number={number}
          receiptId={EMAILS}
          refused={refused}
        />
      </>
    );
  }
  return (
    <ButtonLink look="plain" to={`?ref=${number}&download=${EMAILS}#dateOfBirth`}>
      {label}
    </ButtonLink>
  );
}
