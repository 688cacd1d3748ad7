import type { ReactNode } from 'react';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { feeFor, lowestTotal, type PriceList } from '~/features/visa/rules/price-list.ts';
import { cheapestSpeed } from '~/features/visa/rules/speeds.ts';
import { HeroArt } from '~/ui/art.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { OfficialSentence } from '../official-site.tsx';
import { useSite } from '../site-context.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The heading with the lowest price over a picture of the Bosphorus, and the card for a first question. */
export function Hero({ prices, children }: { prices: PriceList; children: ReactNode }) {
  const { t } = useTranslation(['site', 'catalog']);
  const language = useLanguage();
  const { operator } = useSite();
  const path = 'without_document';
  const total = lowestTotal(prices, path);
  const processing = feeFor(prices, path, cheapestSpeed(path).processingType);
  return (
    <section className="relative z-0 text-cream wide:grid wide:min-h-[clamp(760px,58vw,940px)] wide:bg-ink">
      <div className="content pt-8.75 wide:grid wide:grid-cols-[minmax(0,1fr)_432px] wide:items-start wide:gap-[clamp(32px,5.6vw,72px)] wide:pt-16 wide:pb-14">
        {/* However long the text, it ends above the busy bands of the picture, two fifths of its height. */}
        <div className="**:focus-visible:outline-ring-on-ink max-wide:relative max-wide:min-h-[509px] max-wide:pb-18 wide:pb-[calc(max(25vw,304px)-116px)]">
          {/* On narrow screens the card covers the lower part of the picture. */}
          <div className="absolute -z-10 overflow-hidden max-wide:-inset-x-(--gutter) max-wide:-top-8.75 max-wide:-bottom-[101px] max-wide:bg-ink max-wide:*:h-[580px] max-wide:*:object-[17%_100%] wide:inset-x-0 wide:bottom-0 wide:h-[clamp(760px,58vw,940px)] *:top-auto">
            <HeroArt />
          </div>
          <h1 className="max-w-150 text-hero tracking-hero">
            <Trans
              components={{ nb: <span className="inline-block max-w-full" /> }}
              i18nKey="site:home.hero.title"
              t={t}
            />
          </h1>
          <p className="mt-3.75 text-all-in tracking-display lining-nums tabular-nums wide:mt-6">
            {t('site:home.hero.from', { total: formatMoney(total, language) })}
          </p>
          <p className="mt-1.25 max-w-107.5 text-[1.0625rem] wide:text-[1.125rem]/[1.75rem]">
            {t('site:home.hero.lines', {
              fee: formatMoney(prices.evisaFee, language),
              processing: formatMoney(processing, language),
            })}
            {operator.authoritiesCharge
              ? ` ${t(`catalog:authoritiesCharge.${operator.authoritiesCharge}`)}`
              : null}
          </p>
          <p className="mt-2.5 max-w-107.5 text-small text-cream-2 rtl:max-w-117.5 [&_a]:text-cream">
            <OfficialSentence text="home.hero.private" />
          </p>
          <div className="hero-actions mt-4 flex flex-wrap gap-3">
            <ButtonLink look="light" small to="/application">
              {t('site:home.hero.apply')}
            </ButtonLink>
            <ButtonLink look="ink" small to="/status">
              {t('site:home.hero.status')}
            </ButtonLink>
          </div>
        </div>
        {children}
      </div>
    </section>
  );
}
