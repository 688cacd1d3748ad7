import { formatMoment, UTC, type MomentStyle } from '~/base/dates/dates.ts';
import { isTimeZone } from '~/base/dates/wall-clock.ts';
import { joinMoment, writeMoment, type WrittenMoment } from '~/base/dates/write-moment.ts';
import { useInBrowser } from './scripts-input.tsx';
import { useTranslation } from './texts/texts.tsx';

const zoneOfBrowser = () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isTimeZone(zone) ? zone : null;
};

/** The visitor's time zone; null on the server, while hydrating, and in browsers that do not tell. */
function useVisitorZone(): string | null {
  return useInBrowser(zoneOfBrowser, null);
}

/**
 * A function that writes what has happened, in the visitor's zone once scripts run and in UTC before; the zone is
 * always named.
 */
export function useMoments(): (at: Date, style: MomentStyle) => string {
  const { language } = useTranslation();
  const zone = useVisitorZone() ?? UTC;
  return (at, style) => formatMoment(at, language, zone, style);
}

/**
 * A function that writes a promised moment or a deadline by the visitor's clock (UTC without scripts) and by Türkiye's,
 * apart. `today`: the present moment, where "Today" may stand for the day.
 */
export function useMomentParts(today?: Date): (at: Date, style: MomentStyle) => WrittenMoment {
  const { t, language } = useTranslation('ui');
  const zone = useVisitorZone();
  return (at, style) => writeMoment(at, { t, language, zone, style, today });
}

/** The same in one text. */
export function useDeadlines(): (at: Date, style: MomentStyle) => string {
  const parts = useMomentParts();
  return (at, style) => joinMoment(parts(at, style));
}

/** A promised moment or a deadline in a sentence. */
export function Moment({ at }: { at: Date }) {
  const { own, turkiye } = useMomentParts()(at, 'long');
  return (
    <>
      <strong>{own}</strong>
      {turkiye === null ? null : ` (${turkiye})`}
    </>
  );
}
