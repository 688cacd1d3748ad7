import { operatorNow } from '~/features/settings/operator.server.ts';
import { dateOf, parseDate, TURKIYE, type PlainDate } from '~/base/dates/dates.ts';
import { isLanguage } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import type { Application } from '~/features/application/store.server.ts';
import { countryName, placeName } from '~/features/catalog/names.server.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { CertificateFacts } from './certificate-facts.ts';
import { storedVerifyCode, type InsuranceDetails } from '../store/store.server.ts';
import { termsOf } from '../store/terms-store.server.ts';

/** Loads what a certificate says. Days are those of Türkiye, where the insured person travels. */
export async function certificateFacts(
  platform: Platform,
  found: Application,
  details: InsuranceDetails,
): Promise<CertificateFacts> {
  const { db, sealer, config } = platform;
  const now = platform.now();
  const language = isLanguage(found.language) ? found.language : 'en';
  const [country, terms] = await Promise.all([
    countryByCode(platform, found.countryCode),
    termsOf(db, details.termsVersion),
  ]);
  return {
    language,
    number: found.number,
    planDays: details.planDays,
    firstName: found.firstName,
    lastName: found.lastName,
    dateOfBirth: stored(found.dateOfBirth),
    nationality: country ? countryName(country, language) : found.countryCode,
    passportNumber: details.passportNumber,
    from: stored(found.startsOn),
    until: stored(details.coverUntil),
    destination: placeName('TUR', language),
    premium: usd(found.amountMinor),
    paidOn: dateOf(found.paidAt ?? now, TURKIYE),
    issuedOn: dateOf(now, TURKIYE),
    cancelledOn: details.cancelledAt ? dateOf(details.cancelledAt, TURKIYE) : null,
    terms,
    operator: await operatorNow(platform),
    termsAddress: `${config.publicUrl}/${language}/insurance/terms/${terms.version}`,
    verifyAddress: `${config.publicUrl}/verify/${await storedVerifyCode(db, sealer, found.id)}`,
  };
}

function stored(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error('The database holds a day that does not exist');
  return date;
}
