import { useTranslation } from '~/ui/texts/texts.tsx';
import type { CarriedAnswers } from '~/ui/answers-form.ts';
import { SkipLink } from '~/ui/skip-link.tsx';
import { LanguageMenu, LanguageButton, headerButton } from './language-menu.tsx';
import { type MainPage, mainPages } from '../navigation.ts';
import { useSite } from '../site-context.tsx';
import type { ReactNode } from 'react';
import { Link } from '~/ui/page/link.tsx';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { Menu } from '~/ui/menu.tsx';
import { Logo } from './logo.tsx';
import { OfficialSentence } from '../official-site.tsx';
import type { CardBrand } from '~/platform/config/sample-operator.ts';

/**
 * The footer's groups, in the specification's order. Texts: `site:nav.<key>`. Support links to the addresses in the
 * operator's configuration; contact to an email without one.
 */
const footerGroups = [
  {
    key: 'application',
    links: [
      { key: 'apply', to: '/application' },
      { key: 'insurance', to: '/insurance' },
      { key: 'status', to: '/status' },
      { key: 'requirements', to: '/requirements' },
    ],
  },
  {
    key: 'information',
    links: [
      { key: 'processing-times', to: '/processing-times' },
      { key: 'faq', to: '/faq' },
      { key: 'security', to: '/security' },
    ],
  },
  {
    key: 'support',
    links: [
      { key: 'contact', at: 'contactUrl' },
      { key: 'live-chat', at: 'liveChatUrl' },
      { key: 'help-centre', at: 'helpCentreUrl' },
    ],
  },
  {
    key: 'legal',
    links: [
      { key: 'terms', to: '/terms' },
      { key: 'privacy', to: '/privacy' },
      { key: 'kvkk', to: '/kvkk' },
      { key: 'cancellation-policy', to: '/cancellation-policy' },
    ],
  },
] as const;

/** What each card's logo is called; each is a view of `public/cards.svg`, so that one request loads all. */
const cardNames: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'Amex',
  discover: 'Discover',
  troy: 'Troy',
  jcb: 'JCB',
  diners: 'Diners',
  unionpay: 'UnionPay',
};

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

function Footer() {
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
        {/* The columns above are too narrow for it. */}
        <a
          className="mt-5 inline-flex min-h-11 items-center wrap-anywhere"
          dir="ltr"
          href={`mailto:${operator.supportEmail}`}
        >
          {operator.supportEmail}
        </a>
        <div className="mt-5 border-t border-ink-line pt-6 text-[0.84375rem]/[1.3125rem] text-on-ink-3 wide:flex wide:justify-between wide:gap-12 rtl:leading-[1.8]">
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

/*
 * The frame around every visitor's page. It is the same for everybody and uses no framework scripts, so the server
 * caches its markup (`document/document.server.tsx`).
 */

/** Everything before the content. With `carriedAnswers`, the language menu is in `FrameEnd` instead. */
export function FrameStart({ part, carriedAnswers }: FrameProps & { part?: MainPage['key'] }) {
  const { t } = useTranslation('site');
  const { testMode } = useSite();
  return (
    <>
      <SkipLink>{t('nav.skip')}</SkipLink>
      {testMode ? (
        <aside className="test-mode bg-ink px-4 py-2 text-center text-[14px] text-balance text-paper print:hidden [&_a]:text-inherit [&_a]:decoration-auto">
          {testMode.text} <a href={testMode.to}>{testMode.link}</a>
        </aside>
      ) : null}
      <Header part={part} languageMenu={carriedAnswers ? null : <LanguageMenu />} />
    </>
  );
}

/** Everything after the content. */
export function FrameEnd({ carriedAnswers }: FrameProps) {
  return (
    <>
      {carriedAnswers ? <LanguageMenu carriedAnswers={carriedAnswers} /> : null}
      <Footer />
    </>
  );
}

type FrameProps = {
  /** How the page's form is submitted when the language is switched; null where there is no form to submit. */
  carriedAnswers: CarriedAnswers | null;
};

/** Says on every page that this is a private service, with a link to the official site. */
function PrivateServiceBar() {
  const { t } = useTranslation('site');
  return (
    <div className="bg-sand print:bg-transparent">
      <div className="content flex flex-wrap justify-between gap-x-4 gap-y-1 py-1.75 text-caption max-wide:text-[0.8125rem] wide:py-2">
        <p>{t('bar.private')}</p>
        <p>
          <OfficialSentence text="bar.official" />
        </p>
      </div>
    </div>
  );
}

function PageLinks({ className, part }: { className: string; part?: MainPage['key'] }) {
  const { t } = useTranslation('site');
  return (
    <ul>
      {mainPages.map((page) => (
        <li key={page.key}>
          <Link
            aria-current={page.key === part ? 'page' : undefined}
            className={className}
            to={page.to}
          >
            {t(`nav.${page.key}`)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Header({
  part,
  languageMenu,
}: {
  /** The section of the page; undefined for none. */
  part?: MainPage['key'];
  /** Null where the menu is elsewhere on the page. */
  languageMenu: ReactNode;
}) {
  const { t } = useTranslation('site');
  return (
    <header>
      <PrivateServiceBar />
      <div className="border-b border-line print:border-[#000]">
        <div className="content flex min-h-(--header-height) flex-wrap items-center gap-2.5 wide:gap-x-[clamp(14px,3vw,36px)] wide:gap-y-0">
          <Logo />
          <nav
            aria-label={t('nav.label')}
            className="ms-auto hidden *:flex *:flex-wrap *:gap-x-[clamp(14px,2.2vw,28px)] wide:block print:hidden"
          >
            <PageLinks
              className="block border-b-2 border-transparent pt-2.75 pb-2.25 text-[clamp(0.9375rem,1.5vw,1rem)]/[1.5rem] whitespace-nowrap text-ink no-underline hover:border-line-2 aria-[current]:border-turquoise"
              part={part}
            />
          </nav>
          <LanguageButton className="px-3 text-[0.9375rem]/[1.5rem] max-wide:ms-auto max-[22.5rem]:[&>.icon:last-child]:hidden wide:px-3.5" />
          {languageMenu}
          <Menu
            button={<Icon name="menu" />}
            buttonClass={classNames('w-11 wide:hidden', headerButton)}
            buttonLabel={t('nav.menu')}
            className="w-[min(300px,calc(100vw-40px))] wide:hidden"
            id="mobile-menu"
          >
            <nav aria-label={t('nav.label')}>
              <PageLinks className="menu-row" part={part} />
            </nav>
          </Menu>
        </div>
      </div>
    </header>
  );
}
