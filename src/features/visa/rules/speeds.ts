import type { CodeIn } from '~/base/text-keys.ts';

/** Whether the nationality's e-visa needs a supporting document. Each path has its own speeds and prices. */
export type Path = 'without_document' | 'with_document';

export const paths: readonly Path[] = ['without_document', 'with_document'];

export const processingTypes = [
  'standard',
  'fast',
  'express',
  'urgent',
  'slow',
  'urgent_24',
  'urgent_12',
  'urgent_4',
  'urgent_1',
] as const;
export type ProcessingType = (typeof processingTypes)[number];

/**
 * How a speed's time is counted. `working_hours`: while the office is open. `working_days`: weekdays. `hours`: day and
 * night from Monday to Friday (see `ready-by.ts`).
 */
export type TimeUnit = 'working_hours' | 'working_days' | 'hours';

/** `max` is promised; where `min` equals it, one figure is shown instead of a range. */
export type WorkingTime = { readonly unit: TimeUnit; readonly min: number; readonly max: number };

/** What that usually is on a calendar. Without `min` it reads "within". */
export type TypicalTime = {
  readonly unit: 'days' | 'hours';
  readonly min?: number;
  readonly max: number;
};

export type Speed<Name extends ProcessingType = ProcessingType> = {
  readonly processingType: Name;
  readonly working: WorkingTime;
  readonly typical: TypicalTime | null;
};

/** Pages and emails name a speed by one text, receipts by another: without both of them it does not compile. */
type NamedSpeed = CodeIn<'application', 'service'> & CodeIn<'receipt', 'speed'>;

const speed = <Name extends NamedSpeed>(
  processingType: Name,
  working: WorkingTime,
  typical: TypicalTime | null = null,
): Speed<Name> => ({ processingType, working, typical });

const between = (min: number, max: number, unit: TimeUnit): WorkingTime => ({ unit, min, max });
const exactly = (figure: number, unit: TimeUnit): WorkingTime => between(figure, figure, unit);

/** The speeds that each path sells; times and prices are records over them. */
export type Sold = {
  without_document: 'standard' | 'fast' | 'express' | 'urgent';
  with_document: 'slow' | 'standard' | 'fast' | 'urgent_24' | 'urgent_12' | 'urgent_4' | 'urgent_1';
};

/**
 * The speeds on sale with the times of the customer's specification, slowest first; the price list makes a faster one
 * dearer.
 */
const sold: { readonly [P in Path]: readonly [Speed<Sold[P]>, ...Speed<Sold[P]>[]] } = {
  without_document: [
    speed('standard', between(24, 48, 'working_hours'), { unit: 'days', min: 5, max: 7 }),
    speed('fast', between(6, 12, 'working_hours'), { unit: 'days', min: 1, max: 3 }),
    speed('express', between(2, 4, 'working_hours'), { unit: 'hours', max: 24 }),
    speed('urgent', between(1, 2, 'working_hours'), { unit: 'hours', max: 4 }),
  ],
  with_document: [
    speed('slow', exactly(7, 'working_days')),
    speed('standard', exactly(4, 'working_days')),
    speed('fast', exactly(2, 'working_days')),
    speed('urgent_24', exactly(24, 'hours')),
    speed('urgent_12', exactly(12, 'hours')),
    speed('urgent_4', exactly(4, 'hours')),
    speed('urgent_1', exactly(1, 'hours')),
  ],
};

/** A path's speeds, slowest and so cheapest first. */
export const speedsFor = (path: Path): readonly Speed[] => sold[path];

export const cheapestSpeed = (path: Path): Speed => sold[path][0];

/** Whether the path sells that speed: "express" is not sold with a document. */
export const isSoldOn = <P extends Path>(
  path: P,
  processingType: string,
): processingType is Sold[P] =>
  speedsFor(path).some((one) => one.processingType === processingType);

/**
 * The speed of that name. A name that the path does not sell falls back to its cheapest: standard without a document.
 */
export const speedNamed = (path: Path, processingType: string): Speed =>
  sold[path].find((one) => one.processingType === processingType) ?? cheapestSpeed(path);
