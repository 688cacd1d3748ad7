import { z } from 'zod';
import {
  isEligible,
  needsSupportingDocument,
  otherDocuments,
  regimes,
  type Country,
  type OtherDocument,
} from './regime.ts';

/** Distance from `A` to the first of the 26 regional indicator letters, two of which make a flag. */
const TO_REGIONAL_INDICATOR = 0x1f1e6 - 0x41;

/** The two letters of a country's flag; British overseas nationals (GBN) get Hong Kong's. */
export function flagCode(country: { code: string; iso2: string | null }): string | null {
  return country.code === 'GBN' ? 'HK' : country.iso2;
}

/** The flag as an emoji, empty where there is none. */
export function flagEmoji(country: { code: string; iso2: string | null }): string {
  const letters = flagCode(country) ?? '';
  return letters.replace(/[A-Z]/g, (letter) =>
    String.fromCodePoint(letter.charCodeAt(0) + TO_REGIONAL_INDICATOR),
  );
}

const documentAnswer = z
  .object({
    needs: z
      .enum(['no_visa', 'evisa_on_official_site', 'visa', 'unknown'])
      .describe(
        'What this document needs: no visa; an e-visa that only the official site issues to it; a visa from a consulate; unknown where no source says',
      ),
    stayDays: z.int().positive().nullable().describe('Longest stay without a visa, else null'),
  })
  .meta({ id: 'CountryDocument' });

/** One nationality as `GET /api/countries` answers it. The terms are those of an ordinary passport. */
const countryAnswer = z
  .object({
    id: z.string().describe('What other calls take as countryId; the same as code'),
    code: z.string().regex(/^[A-Z]{3}$/),
    name: z.string().describe('In the language asked for'),
    flag: z.string().describe('Flag emoji'),
    isEligible: z
      .boolean()
      .describe('Whether an e-visa exists, with or without a supporting document'),
    supportingDocumentRequired: z.boolean(),
    regime: z.enum(regimes),
    stayDays: z
      .int()
      .positive()
      .nullable()
      .describe('Longest stay; null where a consulate decides'),
    entries: z.enum(['single', 'multiple']).nullable().describe('Null without an e-visa'),
    validityDays: z
      .int()
      .positive()
      .nullable()
      .describe('Days the e-visa can be used; null without'),
    otherDocuments: z
      .record(z.enum(otherDocuments), documentAnswer)
      .describe('What documents other than an ordinary passport need'),
    source: z.string().describe('Where these terms come from, with dates'),
    checkedOn: z.iso.date().describe('The day on which they were last compared with the source'),
  })
  .meta({ id: 'Country' });
export type CountryAnswer = z.infer<typeof countryAnswer>;

export const countriesAnswer = z.array(countryAnswer);

export const seedAnswer = z
  .object({ inserted: z.int().nonnegative().describe('Rows that this call added') })
  .catchall(z.int().nonnegative())
  .describe('Rows that are there now, by what they are: countries, plans')
  .meta({ id: 'Seeded' });

export function toCountryAnswer(country: Country, name: string): CountryAnswer {
  return {
    id: country.id,
    code: country.code,
    name,
    flag: flagEmoji(country),
    isEligible: isEligible(country),
    supportingDocumentRequired: needsSupportingDocument(country),
    regime: country.regime,
    stayDays: country.maxStayDays,
    entries: country.entries,
    validityDays: country.validityDays,
    otherDocuments: {
      diplomatic: documentAnswerOf(country, 'diplomatic'),
      service: documentAnswerOf(country, 'service'),
      special: documentAnswerOf(country, 'special'),
      identity: documentAnswerOf(country, 'identity'),
    },
    source: country.source,
    checkedOn: country.checkedOn,
  };
}

function documentAnswerOf({ others }: Country, document: OtherDocument) {
  const terms = others?.[document];
  if (typeof terms === 'number') return { needs: 'no_visa', stayDays: terms } as const;
  if (terms === undefined || terms === 'visa') {
    return { needs: terms ?? 'unknown', stayDays: null } as const;
  }
  return { needs: 'evisa_on_official_site', stayDays: null } as const;
}
