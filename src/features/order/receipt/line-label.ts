import type { Translate } from '~/base/read-text.ts';
import type { ServiceCode } from '../service-code.ts';

/** What a line of an order is for: "Processing: urgent, 4 hours". */
export function lineLabel(
  t: Translate<'receipt'>,
  { code, detail }: { code: string; detail: ServiceCode | null },
): string {
  switch (code) {
    case 'evisa_fee':
      return t('line.evisa_fee');
    case 'processing_fee':
      return t('line.processing_fee', { detail: detail && wordsOnReceipt(t, detail) });
    case 'insurance_plan':
      if (detail === '1-year') return t('line.insurance_year');
      return t('line.insurance_plan', { count: Number.parseInt(detail ?? '', 10) });
    default:
      return detail ? `${code}: ${detail}` : code;
  }
}

/** A plan has no words of its own there. */
const wordsOnReceipt = (t: Translate<'receipt'>, service: ServiceCode) =>
  t([`application:service.${service}.onReceipt`, `application:service.${service}.name`]);
