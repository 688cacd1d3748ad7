import { useTranslation } from '~/ui/texts/texts.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import type { DateParts } from '~/ui/fields/date-field.tsx';
import { BirthDateForm } from './birth-date-form.tsx';
import { COPY } from './status-view.ts';

/** What the traveller answered, as a PDF; opened by the date of birth, like every download. */
export function CopyLink({
  number,
  isAsked,
  refused,
}: {
  number: string;
  isAsked: boolean;
  /** The date of birth that was refused. */
  refused: DateParts | null;
}) {
  const { t } = useTranslation('application');
  if (isAsked) {
    return (
      <BirthDateForm label={t('copy.link')} number={number} receiptId={COPY} refused={refused} />
    );
  }
  return (
    <ButtonLink icon="download" look="plain" to={`?ref=${number}&download=${COPY}#dateOfBirth`}>
      {t('copy.link')}
    </ButtonLink>
  );
}
