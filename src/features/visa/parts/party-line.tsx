import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { TRAVELLERS_PAGE, type PartyPlace } from '../party/party.ts';

/** Which of several travellers a step is about, with a link to all of them. */
export function PartyLine({ party: { position, positions } }: { party: PartyPlace }) {
  const { t } = useTranslation('visa');
  return (
    <p className="mb-2 flex flex-wrap items-center gap-x-4 text-small">
      <strong>
        {t('party.which', { number: positions.indexOf(position) + 1, total: positions.length })}
      </strong>
      <Link className="inline-flex min-h-11 items-center" to={TRAVELLERS_PAGE}>
        {t('party.all')}
      </Link>
    </p>
  );
}
