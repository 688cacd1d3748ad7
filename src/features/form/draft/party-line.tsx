import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { TRAVELLERS_PAGE } from './party.ts';

/** Leads from a step of one of several travellers to all of them. */
export function PartyLine() {
  const { t } = useTranslation('visa');
  return (
    <p className="mb-2 text-small">
      <Link className="inline-flex min-h-11 items-center" to={TRAVELLERS_PAGE}>
        {t('party.all')}
      </Link>
    </p>
  );
}
