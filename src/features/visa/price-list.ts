import { add, usd, type Money } from '~/base/money.ts';

/** Whether the nationality's e-visa asks for a supporting document. Each path has its own price table. */
export type Path = 'without_document' | 'with_document';

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

/** Lale's own fee for every e-visa, named "PDF fee" in the order summary. It is not the government's. */
export const evisaFee: Money = usd(69_00);

/**
 * How a speed's time is counted. working_hours: while we are open. working_days: weekdays. hours: round the clock from
 * Monday to Friday (see `ready-by.ts`).
 */
export type TimeUnit = 'working_hours' | 'working_days' | 'hours';

/** `max` is what is promised; where `min` is the same it is one figure, not a range. */
export type WorkingTime = { readonly unit: TimeUnit; readonly min: number; readonly max: number };

/** What that usually is on a calendar. Without `min` it reads "within". */
export type TypicalTime = {
  readonly unit: 'days' | 'hours';
  readonly min?: number;
  readonly max: number;
};

export type Speed = {
  readonly processingType: ProcessingType;
  /** The processing price; with a document this is the supporting-document charge. */
  readonly fee: Money;
  readonly working: WorkingTime;
  readonly typical: TypicalTime | null;
};

const speed = (
  processingType: ProcessingType,
  dollars: number,
  working: WorkingTime,
  typical: TypicalTime | null = null,
): Speed => ({ processingType, fee: usd(dollars * 100), working, typical });

const between = (min: number, max: number, unit: TimeUnit): WorkingTime => ({ unit, min, max });
const exactly = (figure: number, unit: TimeUnit): WorkingTime => between(figure, figure, unit);

/** The one price list (specification, section 9), cheapest first. Every price and range shown comes from here. */
const priceList: Readonly<Record<Path, readonly [Speed, ...Speed[]]>> = {
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
};

/** A path's speeds, cheapest first. */
export const speedsFor = (path: Path): readonly Speed[] => priceList[path];

export const cheapestSpeed = (path: Path): Speed => priceList[path][0];

/** Whether the path sells that speed: "express" is not sold with a document. */
export const isSoldOn = (path: Path, processingType: string): processingType is ProcessingType =>
  priceList[path].some((sold) => sold.processingType === processingType);

/** The speed of that name. A name the path does not sell falls back to its cheapest: standard without a document. */
export const speedNamed = (path: Path, processingType: string): Speed =>
  priceList[path].find((sold) => sold.processingType === processingType) ?? cheapestSpeed(path);

export type QuoteLine = {
  readonly code: 'evisa_fee' | 'processing_fee';
  readonly amount: Money;
};
export type Quote = {
  /** The speed that is priced: the one asked for, or the fallback. */
  readonly processingType: ProcessingType;
  readonly lines: readonly QuoteLine[];
  readonly total: Money;
};

/** What one visa application costs, line by line. */
export function quote(path: Path, processingType: string): Quote {
  const sold = speedNamed(path, processingType);
  return {
    processingType: sold.processingType,
    lines: [
      { code: 'evisa_fee', amount: evisaFee },
      { code: 'processing_fee', amount: sold.fee },
    ],
    total: add(evisaFee, sold.fee),
  };
}

/** The lowest and the highest total that anybody can be charged, on one path or over both. */
export function totalRange(path?: Path): { lowest: Money; highest: Money } {
  const sold = path ? speedsFor(path) : Object.values(priceList).flat();
  const fees = sold.map(({ fee }) => fee.minor);
  return {
    lowest: add(evisaFee, usd(Math.min(...fees))),
    highest: add(evisaFee, usd(Math.max(...fees))),
  };
}
