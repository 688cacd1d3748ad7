import {
  addDays,
  dateFromParts,
  toPlainDate,
  splitDate,
  TURKIYE,
  type PlainDate,
} from '~/base/dates/dates.ts';
import {
  addHoursFromOpening,
  addWorkingDays,
  addWorkingHours,
  wholeMinute,
} from '~/base/dates/working-hours.ts';
import { firstOffice, type Office } from '~/base/dates/office.ts';
import { lastEntryDay } from '~/features/application/entry-rule.ts';
import { YEARS_AHEAD } from '~/features/form/answers/limits.ts';
import {
  cheapestSpeed,
  findSpeed,
  speedsByPath,
  type PricePath,
  type ProcessingType,
  type Speed,
  type TimeUnit,
  isSpeedSold,
} from './speeds.ts';
import { pricePath, type VisaAnswers, type CountryTerms } from './answers.ts';

/**
 * `working_days` keep the time of day; `hours` continue through the nights between working days, and an end at night
 * moves to the next opening. So 24 hours are never more than a working day, and a dearer speed is never later on either
 * path.
 */
const count: Readonly<Record<TimeUnit, (from: Date, amount: number, office: Office) => Date>> = {
  working_hours: addWorkingHours,
  working_days: addWorkingDays,
  hours: addHoursFromOpening,
};

/**
 * The promised moment: the upper bound of the speed's range, counted from payment, or from the next opening where that
 * was outside working hours. Seconds of the payment are dropped, as the moment is shown without them. `office`, here
 * and below: as known at that moment.
 */
export const promisedMoment = (
  path: PricePath,
  processingType: string,
  paidAt: Date,
  office: Office,
): Date => new Date(readyAt(path, processingType, paidAt, office));

const readyAt = oncePerMinute((path, processingType, minute, office) => {
  const { unit, max } = findSpeed(path, processingType).working;
  return count[unit](minute, max, office).getTime();
});

type OfSpeed<T> = (path: PricePath, processingType: string, now: Date, office: Office) => T;

/**
 * Caches what follows from a speed and the minute of payment for that minute and office, as each request asks
 * several times. `work` gets the whole minute; its result must not be changed by callers.
 */
function oncePerMinute<T>(work: OfSpeed<T>): OfSpeed<T> {
  let known = { minute: Number.NaN, office: firstOffice, of: new Map<string, T>() };
  return (path, processingType, now, office) => {
    const minute = wholeMinute(now);
    if (minute.getTime() !== known.minute || office !== known.office) {
      known = { minute: minute.getTime(), office, of: new Map() };
    }
    const name = `${path} ${processingType}`;
    const before = known.of.get(name);
    if (before !== undefined) return before;
    const found = work(path, processingType, minute, office);
    known.of.set(name, found);
    return found;
  };
}

/** The latest moment that any speed of a path promises, if it is paid now. */
export const latestPromise = (path: PricePath, now: Date, office: Office): Date =>
  speedsByPath(path)
    .map(({ processingType }) => promisedMoment(path, processingType, now, office))
    .reduce((last, at) => (at > last ? at : last), now);

/**
 * The cheapest speed that is ready at the same moment as this dearer one, if it is paid now; null where none is. At a
 * weekend 24 hours and 12 hours both end at the second opening.
 */
export const asFastForLess: OfSpeed<ProcessingType | null> = oncePerMinute(
  (path, processingType, now, office) => {
    const ready = readyAt(path, processingType, now, office);
    const first = speedsByPath(path).find(
      (speed) => readyAt(path, speed.processingType, now, office) === ready,
    );
    return first && first.processingType !== processingType ? first.processingType : null;
  },
);

/** Minutes that a dearer speed must gain over the next cheaper one; a smaller gain is said beside its price. */
const NOTABLE_GAIN = 120;

/**
 * How little earlier this speed is ready than the next cheaper one that can be chosen, in minutes, if it is paid now;
 * null where it gains more, gains nothing (`asFastForLess`), or is the cheapest.
 */
export const littleGain: OfSpeed<{ minutes: number; than: ProcessingType } | null> = oncePerMinute(
  (path, processingType, now, office) => {
    const worth = worthwhileSpeeds(path, now, office);
    const index = worth.findIndex((speed) => speed.processingType === processingType);
    const cheaper = worth[index - 1];
    if (!cheaper) return null;
    const gain =
      readyAt(path, cheaper.processingType, now, office) -
      readyAt(path, processingType, now, office);
    const minutes = Math.round(gain / 60_000);
    return minutes < NOTABLE_GAIN ? { minutes, than: cheaper.processingType } : null;
  },
);

/** The speeds that are each faster than every cheaper one, cheapest first; only these can be chosen. */
export const worthwhileSpeeds = (path: PricePath, now: Date, office: Office): readonly Speed[] =>
  speedsByPath(path).filter(
    ({ processingType }) => asFastForLess(path, processingType, now, office) === null,
  );

/** The years in which an arrival may lie: this one, by the calendar in Türkiye, and the ten after it. */
export function arrivalYears(now: Date): readonly number[] {
  const { year } = splitDate(toPlainDate(now, TURKIYE));
  return Array.from({ length: YEARS_AHEAD + 1 }, (_, index) => year + index);
}

/**
 * The days on which a traveller who pays now for a speed may arrive, both included: from the day after the promised
 * moment, by the calendar in Türkiye, up to three months after it, or without a document up to the last arrival year.
 */
export const arrivalWindow: OfSpeed<{ readonly earliest: PlainDate; readonly latest: PlainDate }> =
  oncePerMinute((path, processingType, now, office) => {
    const ready = promisedMoment(path, processingType, now, office);
    const latest = path === 'with_document' ? lastEntryDay(ready) : lastArrivalDay(now);
    return { earliest: addDays(toPlainDate(ready, TURKIYE), 1), latest };
  });

function lastArrivalDay(now: Date): PlainDate {
  const year = splitDate(toPlainDate(now, TURKIYE)).year + YEARS_AHEAD;
  const last = dateFromParts({ day: 31, month: 12, year });
  if (!last) throw new RangeError(`No calendar for the year ${year}`);
  return last;
}

/**
 * `too_slow`: not ready before the arrival day. `too_far`: the arrival lies beyond the speed's window. `no_faster`: in
 * time, but ready at the same moment as a cheaper one.
 */
export type SpeedFit = 'in_time' | 'too_slow' | 'too_far' | 'no_faster';

/** Whether a speed paid now suits an arrival. */
export function speedFit(
  path: PricePath,
  processingType: string,
  arrival: PlainDate,
  now: Date,
  office: Office,
): SpeedFit {
  const { earliest, latest } = arrivalWindow(path, processingType, now, office);
  if (arrival < earliest) return 'too_slow';
  if (arrival > latest) return 'too_far';
  return asFastForLess(path, processingType, now, office) === null ? 'in_time' : 'no_faster';
}

/** The speeds that may be chosen for an arrival, cheapest first. Empty where none suits. */
export const speedsInTime = (
  path: PricePath,
  arrival: PlainDate,
  now: Date,
  office: Office,
): readonly Speed[] =>
  speedsByPath(path).filter(
    ({ processingType }) => speedFit(path, processingType, arrival, now, office) === 'in_time',
  );

/** The cheapest speed in time for the arrival, or of all while none is known; null where none suits. */
export function defaultSpeed(
  path: PricePath,
  arrival: PlainDate | null,
  now: Date,
  office: Office,
): ProcessingType | null {
  if (arrival === null) return cheapestSpeed(path).processingType;
  return speedsInTime(path, arrival, now, office)[0]?.processingType ?? null;
}

/**
 * The promised moment if it is paid now; null while no speed is chosen. Not used on the first step, whose scripts would
 * grow by the working hours and holidays.
 */
export function previewPromise(
  answers: VisaAnswers,
  country: CountryTerms | null,
  now: Date,
  office: Office,
): Date | null {
  const { processingType = '' } = answers;
  const path = pricePath(country, answers);
  return path && isSpeedSold(path, processingType)
    ? promisedMoment(path, processingType, now, office)
    : null;
}
