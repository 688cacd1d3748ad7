import { ButtonLink } from '~/ui/button.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

/** Offers the promised moment for the traveller's calendar, while there is one to wait for. */
export function CalendarLink({ view }: { view: { number: string; isPromised: boolean } }) {
  const { t } = useTranslation('application');
  if (!view.isPromised) return null;
  return (
    <div className="mt-4 print:hidden">
      <ButtonLink icon="calendar" look="plain" to={`/status/calendar?ref=${view.number}`}>
        {t('calendar.add')}
      </ButtonLink>
    </div>
  );
}
