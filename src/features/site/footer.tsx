import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { cardNames, footerGroups } from './footer-groups.ts';
import { Logo } from './logo.tsx';
import { OfficialSentence } from './official-site.tsx';

/** Who runs the service, from its configuration; placeholders until the operator fills them in. */
export type OperatorDetails = {
  legalName: string;
  address: string;
  taxNumber: string;
  supportEmail: string;
};

/** `year` comes from the server's clock: a cached page and its hydration must agree. */
export function Footer({ operator, year }: { operator: OperatorDetails; year: number }) {
  const { t } = useTranslation('site');
  return (
    <footer className="site-footer">
      <div className="content">
        <div className="footer-columns">
          <div>
            <Logo />
            <p className="footer-claim">{t('footer.claim')}</p>
          </div>
          {footerGroups.map((group) => (
            <nav aria-labelledby={`footer-${group.key}`} key={group.key}>
              <h2 className="footer-title" id={`footer-${group.key}`}>
                {t(`footer.groups.${group.key}`)}
              </h2>
              <ul>
                {group.links.map((link) => (
                  <li key={link.key}>
                    <Link to={link.to}>{t(`nav.${link.key}`)}</Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
          <div>
            <h2 className="footer-title">{t('footer.groups.support')}</h2>
            <ul>
              <li>
                <a dir="ltr" href={`mailto:${operator.supportEmail}`}>
                  {operator.supportEmail}
                </a>
              </li>
            </ul>
          </div>
        </div>
        <ul aria-label={t('footer.cards')} className="footer-cards" dir="ltr">
          {cardNames.map((name) => (
            <li key={name}>{name}</li>
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
