import type { ReactNode } from 'react';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { feeFor, lowestTotal, type PriceList } from '~/features/visa/rules/price-list.ts';
import { cheapestSpeed } from '~/features/visa/rules/speeds.ts';
import { HeroArt } from '~/ui/art.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { OfficialSentence } from '../official-site.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The heading with the lowest price over a picture of the Bosphorus, and the card for a first question. */
export function Hero({ prices, children }: { prices: PriceList; children: ReactNode }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  const path = 'without_document';
  const total = lowestTotal(prices, path);
  const processing = feeFor(prices, path, cheapestSpeed(path).processingType);
  return (
    <section className="relative text-cream wide:grid wide:min-h-[clamp(760px,58vw,940px)] wide:bg-ink">
      {/* On narrow screens the card covers the lower part of the picture. */}
      <div className="absolute inset-x-0 top-0 overflow-hidden max-wide:h-[645px] max-wide:bg-ink max-wide:*:top-auto max-wide:*:h-[580px] max-wide:*:object-[17%_100%] wide:bottom-0">
        <HeroArt />
      </div>
      <div className="content relative pt-8.75 wide:grid wide:grid-cols-[minmax(0,1fr)_432px] wide:items-start wide:gap-[clamp(32px,5.6vw,72px)] wide:pt-16 wide:pb-14">
        <div className="max-wide:min-h-[509px] **:focus-visible:outline-ring-on-ink">
          <h1 className="max-w-150 text-hero tracking-hero">
            <Trans
              components={{ nb: <span className="whitespace-nowrap" /> }}
              i18nKey="site:home.hero.title"
              t={t}
            />
          </h1>
          <p className="mt-3.75 text-all-in tracking-display lining-nums tabular-nums wide:mt-6">
            {t('home.hero.allIn', { total: formatMoney(total, language) })}
          </p>
          <p className="mt-1.25 max-w-107.5 text-[1.0625rem] wide:text-[1.125rem]/[1.75rem]">
            {t('home.hero.lines', {
              fee: formatMoney(prices.evisaFee, language),
              processing: formatMoney(processing, language),
            })}
          </p>
          <p className="mt-2.5 max-w-107.5 text-small text-cream-2 rtl:max-w-117.5 [&_a]:text-cream">
            <OfficialSentence text="home.hero.private" />
          </p>
          <div className="hero-actions mt-4 flex flex-wrap gap-3">
            <ButtonLink look="light" small to="/application">
              {t('home.hero.apply')}
            </ButtonLink>
            <ButtonLink look="ink" small to="/status">
              {t('home.hero.status')}
            </ButtonLink>
          </div>
        </div>
        {children}
      </div>
    </section>
  );
}
