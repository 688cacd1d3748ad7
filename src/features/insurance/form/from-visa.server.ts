import { parseDate, partsOf } from '~/base/dates/dates.ts';
import { readNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import { sessionHashOf } from '~/features/order/payer/session.server.ts';
import { orderOfApplication } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { oneNameBox } from '~/features/form/answers/one-name.ts';

/**
 * The answers that an empty form takes from the e-visa in `?visa=`: nationality, passport type, names and first day,
 * for the browser of that order's payer only.
 */
export async function typedFromVisa(platform: Platform, request: Request): Promise<Typed> {
  const { db } = platform;
  const named = new URL(request.url).searchParams.get('visa') ?? '';
  const read = readNumber(named.slice(0, 40));
  const application = read.ok ? await applicationByNumber(db, read.number) : null;
  const order =
    application?.kind === 'visa' ? await orderOfApplication(db, application.number) : null;
  if (!application || !order) return {};
  if (!(await isPayer(db, sessionHashOf(platform, request), order))) return {};
  const { countryCode, travelDocument, firstName, lastName, startsOn } = application;
  const first = parseDate(startsOn);
  const parts = first ? Object.entries(partsOf(first)) : [];
  return {
    nationality: countryCode,
    documentType: travelDocument,
    firstName,
    lastName,
    ...oneNameBox({ firstName, lastName }),
    ...Object.fromEntries(parts.map(([part, value]) => [`travelDate-${part}`, String(value)])),
  };
}
