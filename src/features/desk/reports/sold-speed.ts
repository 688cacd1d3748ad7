import { ADULT_YEARS } from '~/base/dates/dates.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { paths, speedsByPath } from '~/features/visa/rules/speeds.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { serviceName } from '../frame/formats.ts';

/**
 * What an application was promised by: the speed of a visa, which with a supporting document means another time, or
 * the review of a minor's insurance, whose service is empty.
 */
export type SoldSpeed = {
  kind: 'visa' | 'insurance';
  service: ServiceCode | '';
  withDocument: boolean;
};

/** A speed in one word: `standard`, `standard.document`, `insurance`. */
export const speedKey = ({ kind, service, withDocument }: SoldSpeed): string =>
  kind === 'insurance' ? kind : withDocument ? `${service}.document` : service;

const shown = [
  ...paths.flatMap((path) =>
    speedsByPath(path).map(({ processingType }) =>
      speedKey({ kind: 'visa', service: processingType, withDocument: path === 'with_document' }),
    ),
  ),
  'insurance',
];

/** Rows in the order of the price list, slowest first, insurance last. */
export function sortBySpeed<Row extends SoldSpeed>(rows: readonly Row[]): Row[] {
  const place = (row: Row) => {
    const found = shown.indexOf(speedKey(row));
    return found === -1 ? shown.length : found;
  };
  return rows.toSorted((a, b) => place(a) - place(b));
}

/** "Standard, 4 days", or "Insurance, under 18". */
export function useSpeedName(): (speed: SoldSpeed) => string {
  const { t } = useTranslation('desk');
  return (speed) =>
    speed.service === ''
      ? t('figures:insurance', { age: ADULT_YEARS })
      : serviceName(t, { ...speed, service: speed.service });
}
