import { ADULT_YEARS } from '~/base/dates/dates.ts';
import type { Translate } from '~/base/read-text.ts';
import { serviceName } from '../frame/service-name.ts';
import type { SoldSpeed } from './sold-speed.ts';

/** "Standard, 4 days", or "Insurance, under 18". */
export const speedName = (t: Translate<'desk'>, speed: SoldSpeed): string =>
  speed.service === ''
    ? t('work:insurance', { age: ADULT_YEARS })
    : serviceName(t, { ...speed, service: speed.service });
