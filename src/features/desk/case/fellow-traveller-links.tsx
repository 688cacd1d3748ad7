import { useLocation } from 'react-router';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { listQuery } from '../frame/list-address.tsx';
import type { FellowTravellers } from '../records/fellow-travellers.server.ts';

/** Which traveller of how many this is, with links to the others that keep the list. */
export function FellowTravellerLinks({
  fellows: { orderNumber, place, travellers },
}: {
  fellows: FellowTravellers;
}) {
  const { t } = useTranslation('decision');
  const { search } = useLocation();
  const to = (number: string) => `/admin/applications/${number}${listQuery(search)}#application`;
  const previous = travellers[place - 2];
  const next = travellers[place];
  return (
    <nav aria-label={t('group.fellows')} className="col-span-full mt-2 grid gap-1 text-fine">
      <p className="flex flex-wrap items-center gap-x-4">
        <span className="font-semibold text-ink">
          {t('group.place', { place, count: travellers.length })}
        </span>
        {previous ? (
          <Link className="desk-link" preventScrollReset rel="prev" to={to(previous.number)}>
            {t('group.previous')}
          </Link>
        ) : null}
        {next ? (
          <Link className="desk-link" preventScrollReset rel="next" to={to(next.number)}>
            {t('group.next')}
          </Link>
        ) : null}
        <Link className="desk-link" to={`/admin/orders/${orderNumber}#group`}>
          {t('group.all')}
        </Link>
      </p>
      <ol className="flex flex-wrap gap-x-4">
        {travellers.map(({ number, name }, index) => (
          <li key={number}>
            {index === place - 1 ? (
              <span aria-current="page" className="desk-link font-semibold">
                <bdi>{name}</bdi>
              </span>
            ) : (
              <Link className="desk-link" preventScrollReset to={to(number)}>
                <bdi>{name}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
