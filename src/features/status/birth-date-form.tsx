import { useEffect } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { DateField } from '~/ui/fields/date-field.tsx';
import { BIRTH_DATE_TRIES, type AskedEmail, type RefusedDate } from './status-view.ts';
import { useMoments } from '~/ui/moment.tsx';

/** Says why a date of birth opened nothing. */
export function useBirthDateError(): (refused: RefusedDate) => string {
  const { t } = useTranslation('application');
  const write = useMoments();
  return ({ lockedUntil, isForDays }) => {
    if (lockedUntil === null) return t('download.notOpened', { count: BIRTH_DATE_TRIES });
    const style = isForDays ? 'short' : 'time';
    return t('download.locked', { moment: write(new Date(lockedUntil), style) });
  };
}

/** Asks for the applicant's date of birth before a download. */
export function BirthDateForm({
  number,
  label,
  receiptId,
  refused,
}: {
  number: string;
  /** The button's text: what is downloaded. */
  label: string;
  receiptId?: string;
  /** The date of birth that was refused. */
  refused: RefusedDate | null;
}) {
  const { t } = useTranslation('application');
  const errorOf = useBirthDateError();
  useEffect(() => {
    // After a refusal the error summary takes the focus.
    if (!refused) document.getElementById('dateOfBirth')?.focus();
  }, [refused]);
  return (
    // A document request: the response is the file, and the page stays open.
    <Form className="mt-6 grid justify-items-start gap-5" method="post" reloadDocument>
      <input name="ref" type="hidden" value={number} />
      {receiptId ? <input name="receipt" type="hidden" value={receiptId} /> : null}
      <DateField
        birthday
        defaultValue={refused ?? undefined}
        error={refused ? errorOf(refused) : undefined}
        hint={t('download.birthDateHint')}
        label={t('download.birthDate')}
        name="dateOfBirth"
      />
      <div className="flex flex-wrap items-center gap-x-7 gap-y-3 max-wide:w-full">
        <Button className="max-wide:w-full" icon="download">
          {label}
        </Button>
        {refused && refused.lockedUntil !== null && receiptId === undefined ? (
          <Button look="secondary" name="send" value={'document' satisfies AskedEmail}>
            {t('download.sendLink')}
          </Button>
        ) : null}
        <ButtonLink look="plain" to={`?ref=${number}`}>
          {t('download.cancel')}
        </ButtonLink>
      </div>
    </Form>
  );
}
