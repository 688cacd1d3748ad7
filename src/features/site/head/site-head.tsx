import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { isInformationPage } from '../pages.ts';
import { useSite } from '../site-context.tsx';
import { addressIn, alternates } from '../navigation.ts';
import { nameOf, navigationKeyOf, type ListedPage } from '../listed-pages.ts';

/** The picture that shared links show, drawn by `scripts/draw-sharing-pictures.ts`. */
const PICTURE = { width: '1200', height: '630' };

/** Metadata for search engines and shared links. A page of one visitor is not indexed. */
export function SiteHead({ page }: { page: ListedPage | undefined }) {
  return page ? <Listed page={page} /> : <meta content="noindex" name="robots" />;
}

function Listed({ page }: { page: ListedPage }) {
  const { t } = useTranslation(['site', 'information']);
  const language = useLanguage();
  const { origin } = useSite();
  const address = addressIn(origin, language, page);
  const name = nameOf(page);
  const description = isInformationPage(name)
    ? t(`information:descriptions.${name}`)
    : t(`site:descriptions.${name}`);
  const title = page === '/' ? t('site:home.title') : t(`site:nav.${navigationKeyOf(page)}`);
  return (
    <>
      <meta content={description} name="description" />
      <link href={address} rel="canonical" />
      {alternates(origin, page).map(({ hreflang, href }) => (
        <link href={href} hrefLang={hreflang} key={hreflang} rel="alternate" />
      ))}
      <meta content="website" property="og:type" />
      <meta content="Lale" property="og:site_name" />
      <meta content={title} property="og:title" />
      <meta content={description} property="og:description" />
      <meta content={address} property="og:url" />
      <meta content={language} property="og:locale" />
      <meta content={`${origin}/sharing/${language}.png`} property="og:image" />
      <meta content={PICTURE.width} property="og:image:width" />
      <meta content={PICTURE.height} property="og:image:height" />
      <meta content={t('site:sharing.alt')} property="og:image:alt" />
      <meta content="summary_large_image" name="twitter:card" />
    </>
  );
}
