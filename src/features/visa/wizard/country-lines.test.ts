import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { OtherTerms } from '~/features/catalog/regime.ts';
import { fromLines, toLines } from './country-lines.ts';

const terms = fc.record(
  {
    regime: fc.constantFrom('evisa', 'evisa_with_document', 'visa_free', 'no_evisa'),
    maxStayDays: fc.option(fc.integer({ min: 1, max: 180 })),
    entries: fc.constantFrom('single', 'multiple', null),
    others: fc.record({
      diplomatic: fc.constantFrom<OtherTerms[]>(30, 90, 'visa'),
      service: fc.constantFrom('official_site', 'official_site_free'),
    }),
    checkedOn: fc.constantFrom('2026-05-27', '2026-11-27').map(plainDateOf),
  },
  { requiredKeys: ['regime', 'maxStayDays', 'entries'] },
);
function plainDateOf(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
}

const name = fc.string({
  minLength: 1,
  unit: fc.constantFrom('a', 'Ç', 'ı', ' ', '’', '(', 'ع', '日'),
});
const country = fc.record({
  code: fc.string({ minLength: 3, maxLength: 3, unit: fc.constantFrom('A', 'B', 'C', 'X') }),
  terms,
  name,
  english: fc.option(name, { nil: undefined }),
});

test('countries arrive as they were sent', () => {
  fc.assert(
    fc.property(fc.uniqueArray(country, { selector: ({ code }) => code }), (sent) => {
      const options = sent.map(({ code, name, english }) => ({
        id: code,
        name,
        ...(english && { english }),
      }));
      const countries = sent.map(({ code, terms }) => ({ code, ...terms }));
      const arrived = fromLines(JSON.parse(JSON.stringify(toLines(options, countries))));
      expect(arrived.options).toEqual(options);
      for (const one of countries) expect(arrived.termsOf(one.code)).toEqual(one);
      expect(arrived.termsOf('')).toBeNull();
    }),
  );
});
