import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatMoment, TURKIYE, UTC, type MomentStyle } from '~/base/dates/dates.ts';
import { useInBrowser } from '~/ui/scripts-input.tsx';
import { isTimeZone } from '~/base/dates/wall-clock.ts';

const zoneOfBrowser = () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isTimeZone(zone) ? zone : null;
};

/** The visitor's time zone; null on the server, while hydrating, and in browsers that do not tell. */
export function useVisitorZone(): string | null {
  return useInBrowser(zoneOfBrowser, null);
}

/**
 * A function that writes moments in the visitor's zone once scripts run and in UTC before; the zone is always named.
 */
export function useMoments(): (at: Date, style: MomentStyle) => string {
  const language = useLanguage();
  const zone = useVisitorZone() ?? UTC;
  return (at, style) => formatMoment(at, language, zone, style);
}

/** A promised moment, in the visitor's time (in UTC without scripts) and in Türkiye's. */
export function PromisedMoment({ at }: { at: Date }) {
  const { t } = useTranslation('application');
  const language = useLanguage();
  const visitor = useVisitorZone();
  const zone = visitor ?? UTC;
  const sameDay = dateOf(at, zone) === dateOf(at, TURKIYE);
  const turkiye = formatMoment(at, language, TURKIYE, sameDay ? 'time' : 'short');
  const key = visitor === null ? 'utc' : visitor === TURKIYE ? 'turkiye' : 'local';
  return (
    <Trans
      components={{ moment: <strong /> }}
      i18nKey={`promise.${key}`}
      t={t}
      values={{ moment: formatMoment(at, language, zone, 'long'), turkiye }}
    />
  );
}
