import type { Translate } from '~/base/read-text.ts';
import type { ServiceCode } from '~/features/order/service-code.ts';
import { isSoldOn, speedNamed } from '~/features/visa/rules/speeds.ts';

/**
 * The name of a visa's speed or an insurance plan. A speed that both paths sell is another time with a supporting document,
 * and says so.
 */
export function serviceName(
  t: Translate<'desk'>,
  { service, withDocument }: { service: ServiceCode; withDocument: boolean },
): string {
  const name = t(`application:service.${service}.name`);
  const isOnBoth = isSoldOn('with_document', service) && isSoldOn('without_document', service);
  return withDocument && isOnBoth
    ? t('speedInDays', { speed: name, figure: speedNamed('with_document', service).working.max })
    : name;
}
