import type { ReactNode } from 'react';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { feeFor, lowestTotal, type PriceList } from '~/features/visa/rules/price-list.ts';
import { cheapestSpeed } from '~/features/visa/rules/speeds.ts';
import { HeroArt } from '~/ui/art.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { OfficialSentence } from '../official-site.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** What Lale does and for how much, over the Bosphorus; the card that answers a first question beside it. */
export function Hero({ prices, children }: { prices: PriceList; children: ReactNode }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  const path = 'without_document';
  const total = lowestTotal(prices, path);
  const processing = feeFor(prices, path, cheapestSpeed(path).processingType);
  return (
    <section className="hero">
      <div className="hero-picture">
        <HeroArt />
      </div>
      <div className="content hero-columns">
        <div className="hero-text">
          <h1 className="hero-title">
            <Trans
              components={{ nb: <span className="unbroken" /> }}
              i18nKey="site:home.hero.title"
              t={t}
            />
          </h1>
          <p className="hero-price">
            {t('home.hero.allIn', { total: formatMoney(total, language) })}
          </p>
          <p className="hero-lines">
            {t('home.hero.lines', {
              fee: formatMoney(prices.evisaFee, language),
              processing: formatMoney(processing, language),
            })}
          </p>
          <p className="hero-private">
            <OfficialSentence text="home.hero.private" />
          </p>
          <div className="hero-actions">
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
