import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { cards, footerGroups } from './footer-groups.ts';
import { Logo } from './logo.tsx';
import { OfficialSentence } from '../official-site.tsx';
import { useSite } from '../site-context.tsx';

type Row = (typeof footerGroups)[number]['links'][number];

/** A page of ours, or an address of the operator's. */
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
  return (
    <footer className="site-footer">
      <div className="content">
        <div className="footer-columns">
          <div>
            <Logo />
            <p className="mt-3.5 max-w-[220px]">{t('footer.claim')}</p>
          </div>
          {footerGroups.map((group) => (
            <nav aria-labelledby={`footer-${group.key}`} key={group.key}>
              <h2 className="footer-title" id={`footer-${group.key}`}>
                {t(`footer.groups.${group.key}`)}
              </h2>
              <ul>
                {group.links.map((row) => (
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
        <ul aria-label={t('footer.cards')} className="footer-cards" dir="ltr">
          {cards.map(({ key, name }) => (
            <li key={key}>
              <img alt={name} height="30" loading="lazy" src={`/cards.svg#${key}`} width="46" />
            </li>
          ))}
        </ul>
        <div className="footer-legal">
          <p>
            {t('footer.operator', { ...operator })} <OfficialSentence text="footer.disclaimer" />
          </p>
          <p className="footer-owner">
            <span>
              © {year} {operator.legalName}
            </span>
            <Link aria-label={t('footer.staff')} className="staff-dot" to="/admin">
              <span />
            </Link>
          </p>
        </div>
      </div>
    </footer>
  );
}
