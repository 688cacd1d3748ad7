import type { ReactNode } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { formatMoney } from '~/base/money.ts';
import { cheapestSpeed, evisaFee, quote } from '~/features/visa/price-list.ts';
import { HeroArt } from '~/ui/art.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { OfficialSentence } from '../official-site.tsx';
import { useLanguage } from './use-language.tsx';

/** What Lale does and for how much, over the Bosphorus; the card that answers a first question beside it. */
export function Hero({ children }: { children: ReactNode }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  const cheapest = cheapestSpeed('without_document');
  const total = quote('without_document', cheapest.processingType).total;
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
              i18nKey="home.hero.title"
              ns="site"
              t={t}
            />
          </h1>
          <p className="hero-price">
            {t('home.hero.allIn', { total: formatMoney(total, language) })}
          </p>
          <p className="hero-lines">
            {t('home.hero.lines', {
              fee: formatMoney(evisaFee, language),
              processing: formatMoney(cheapest.fee, language),
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
