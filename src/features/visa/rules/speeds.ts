import { firstOffice, type Office } from '~/base/dates/office.ts';
import { usd, type Money } from '~/base/money.ts';
import type { SpeedCode } from '~/features/order/service-code.ts';

/** Whether the nationality's e-visa needs a supporting document. Each path has its own speeds and prices. */
export type PricePath = 'without_document' | 'with_document';

export const paths: readonly PricePath[] = ['without_document', 'with_document'];

/**
 * How a speed's time is counted. `working_hours`: while the office is open. `working_days`: weekdays. `hours`: day and
 * night from Monday to Friday (see `ready-by.ts`).
 */
export type TimeUnit = 'working_hours' | 'working_days' | 'hours';

/** `max` is promised; where `min` equals it, one figure is shown instead of a range. */
type WorkingTime = { readonly unit: TimeUnit; readonly min: number; readonly max: number };

/** What that usually is on a calendar. Without `min` it reads "within". */
type TypicalTime = {
  readonly unit: 'days' | 'hours';
  readonly min?: number;
  readonly max: number;
};

export type Speed<Name extends SpeedCode = ProcessingType> = {
  readonly processingType: Name;
  /** Until administrators decide another one. */
  readonly firstPrice: Money;
  readonly working: WorkingTime;
  /** While the office works as `firstOffice` does: see `usualTime`. */
  readonly typical: TypicalTime | null;
};

/** A code without its words in `application:service` does not compile. */
const speed = <Name extends SpeedCode>(
  processingType: Name,
  dollars: number,
  working: WorkingTime,
  typical: TypicalTime | null = null,
): Speed<Name> => ({ processingType, firstPrice: usd(dollars * 100), working, typical });

const between = (min: number, max: number, unit: TimeUnit): WorkingTime => ({ unit, min, max });
const exactly = (figure: number, unit: TimeUnit): WorkingTime => between(figure, figure, unit);

/**
 * The speeds on sale with the times and prices of the customer's specification, slowest and so cheapest first; the price
 * list keeps a faster one dearer.
 */
const sold = {
  without_document: [
    speed('standard', 25, between(24, 48, 'working_hours'), { unit: 'days', min: 5, max: 7 }),
    speed('fast', 75, between(6, 12, 'working_hours'), { unit: 'days', min: 1, max: 3 }),
    speed('express', 175, between(2, 4, 'working_hours'), { unit: 'hours', max: 24 }),
    speed('urgent', 295, between(1, 2, 'working_hours'), { unit: 'hours', max: 4 }),
  ],
  with_document: [
    speed('slow', 50, exactly(7, 'working_days')),
    speed('standard', 115, exactly(4, 'working_days')),
    speed('fast', 165, exactly(2, 'working_days')),
    speed('urgent_24', 280, exactly(24, 'hours')),
    speed('urgent_12', 330, exactly(12, 'hours')),
    speed('urgent_4', 410, exactly(4, 'hours')),
    speed('urgent_1', 645, exactly(1, 'hours')),
  ],
} as const;

export type ProcessingType = (typeof sold)[PricePath][number]['processingType'];

/** A path's speeds, slowest and so cheapest first. */
export const speedsByPath = (path: PricePath): readonly Speed[] => sold[path];

export const cheapestSpeed = (path: PricePath): Speed => sold[path][0];

export const processingTypes: readonly ProcessingType[] = [
  ...new Set(
    paths.flatMap((path) => speedsByPath(path).map(({ processingType }) => processingType)),
  ),
];

/** Whether the path sells that speed: "express" is not sold with a document. */
export const isSpeedSold = (
  path: PricePath,
  processingType: string,
): processingType is ProcessingType =>
  speedsByPath(path).some((one) => one.processingType === processingType);

/**
 * What a speed's time usually is on a calendar. The specification says it for the hours of the first office; for others
 * nobody has said it, and the promised time stands alone.
 */
export const usualTime = ({ typical }: Speed, office: Office): TypicalTime | null =>
  office.opens === firstOffice.opens &&
  office.closes === firstOffice.closes &&
  office.weekdays.join() === firstOffice.weekdays.join()
    ? typical
    : null;

/**
 * The speed of that name. A name that the path does not sell falls back to its cheapest: standard without a document.
 */
export const findSpeed = (path: PricePath, processingType: string): Speed =>
  speedsByPath(path).find((one) => one.processingType === processingType) ?? cheapestSpeed(path);
