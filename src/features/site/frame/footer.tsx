import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { cardNames, footerGroups } from './footer-groups.ts';
import { Logo } from './logo.tsx';
import { OfficialSentence } from '../official-site.tsx';
import { useSite } from '../site-context.tsx';

type Row = (typeof footerGroups)[number]['links'][number];

/** A page of ours, or an address of the operator's; live chat and help centre only where there is one. */
function FooterLink({ row }: { row: Row }) {
  const { t } = useTranslation('site');
  const { operator } = useSite();
  const name = t(`nav.${row.key}`);
  if ('to' in row) return <Link to={row.to}>{name}</Link>;
  const mailto = `mailto:${operator.supportEmail}?subject=${encodeURIComponent(`Lale: ${name}`)}`;
  return <a href={operator[row.at] ?? mailto}>{name}</a>;
}

export function Footer() {
  const { t } = useTranslation('site');
  const { operator, year } = useSite();
  const { legalName, address, taxNumber, cards = [] } = operator;
  const isThere = (row: Row) =>
    'to' in row || row.key === 'contact' || operator[row.at] !== undefined;
  return (
    <footer className="bg-ink pt-16 pb-10 text-small text-on-ink **:focus-visible:outline-ring-on-ink print:hidden [&_a]:text-cream">
      <div className="content">
        <div className="grid grid-cols-2 gap-x-5 gap-y-8 wide:grid-cols-[1.1fr_repeat(4,minmax(0,1fr))] wide:gap-8">
          <div className="max-wide:col-span-full">
            <Logo />
            <p className="mt-3.5 max-w-55">{t('footer.claim')}</p>
          </div>
          {footerGroups.map((group) => (
            <nav aria-labelledby={`footer-${group.key}`} key={group.key}>
              <h2 className="text-group tracking-normal text-on-ink-2" id={`footer-${group.key}`}>
                {t(`footer.groups.${group.key}`)}
              </h2>
              <ul className="mt-2 [&_a]:inline-block [&_a]:py-[10.5px] [&_a]:wrap-anywhere [&_a]:no-underline [&_a]:hover:underline [&_a]:hover:decoration-auto wide:[&_a]:py-[5.5px]">
                {group.links.filter(isThere).map((row) => (
                  <li key={row.key}>
                    <FooterLink row={row} />
                  </li>
                ))}
                {group.key === 'support' ? (
                  <li>
                    <a dir="ltr" href={`mailto:${operator.supportEmail}`}>
                      {operator.supportEmail}
                    </a>
                  </li>
                ) : null}
              </ul>
            </nav>
          ))}
        </div>
        {cards.length > 0 ? (
          <ul aria-label={t('footer.cards')} className="mt-10 flex flex-wrap gap-2" dir="ltr">
            {cards.map((card) => (
              <li key={card}>
                <img
                  alt={cardNames[card]}
                  height="30"
                  loading="lazy"
                  src={`/cards.svg#${card}`}
                  width="46"
                />
              </li>
            ))}
          </ul>
        ) : null}
        <div className="mt-7 border-t border-ink-line pt-6 text-[0.84375rem]/[1.3125rem] text-on-ink-3 wide:flex wide:justify-between wide:gap-12 rtl:leading-[1.8]">
          <p className="wide:max-w-207.5">
            {t('footer.currency')} {t('footer.operator', { legalName, address, taxNumber })}{' '}
            <OfficialSentence text="footer.disclaimer" />
          </p>
          <p className="flex items-center gap-2.5 max-wide:mt-2 wide:flex-none wide:self-start">
            <span>
              © {year} {legalName}
            </span>
            <Link
              aria-label={t('footer.staff')}
              className="staff-dot group grid size-6 place-items-center"
              to="/admin"
            >
              <span className="size-1.5 rounded-full bg-ink-edge group-hover:bg-cream" />
            </Link>
          </p>
        </div>
      </div>
    </footer>
  );
}
