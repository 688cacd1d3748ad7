import { describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { personalTables } from './personal-tables.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { recordGroups } from './export.server.ts';

/** Of people who are not staff. */
const handedOut = personalTables
  .filter(({ about }) => ['traveller', 'payer', 'draft'].includes(about))
  .map(({ name, columns }) => ({
    name,
    columns: columns
      .filter((one) => ['personal', 'sealed', 'storedFile'].includes(one.class))
      .map((one) => one.name),
  }))
  .filter(({ columns }) => columns.length > 0);

describe('the records of an export', () => {
  test.each(languageCodes)(
    'have a name in %s for every table and column that is handed out',
    (language) => {
      const t = textsIn(language, 'personal-data');
      const unnamed = handedOut.flatMap(({ name, columns }) => [
        ...(t(`table.${name}`, '') === '' ? [name] : []),
        ...columns.filter((column) => t(`field.${column}`, '') === ''),
      ]);
      expect(unnamed).toEqual([]);
    },
  );

  test('have dates, amounts and answers written out, and nothing for what is empty', () => {
    const row = {
      number: 'TRV1',
      paidAt: new Date('2026-11-23T10:00:00Z'),
      dateOfBirth: '1990-03-27',
      amountMinor: 12_345,
      isMinor: true,
      rejectionReason: null,
      facts: { at: '2026-11-23T10:00:00.000Z', lines: [{ amountMinor: 500 }] },
    };
    expect(recordGroups([{ table: 'application', rows: [row, {}] }], 'en')).toEqual([
      {
        title: 'Application, 1 of 2',
        rows: [
          { term: 'Number', value: 'TRV1', latin: true },
          { term: 'Paid', value: 'Mon 23 Nov 2026, 10:00 UTC', latin: true },
          { term: 'Date of birth', value: '27 March 1990', latin: true },
          { term: 'Amount', value: '$123.45', latin: true },
          { term: 'Under 18', value: 'Yes', latin: true },
          { term: 'What it says: Time', value: 'Mon 23 Nov 2026, 10:00 UTC', latin: true },
          { term: 'What it says: Items 1: Amount', value: '$5.00', latin: true },
        ],
      },
    ]);
  });

  test('have a date that was typed in three parts as one, and other names in words', () => {
    const typed = {
      firstName: 'Nomsa',
      'dateOfBirth-day': '7',
      'dateOfBirth-month': '3',
      'dateOfBirth-year': '1990',
      someNewControl: 'x',
    };
    const [group] = recordGroups([{ table: 'draft', rows: [{ answers: { typed } }] }], 'en');
    expect(group?.rows.map(({ term, value }) => `${term} = ${value}`)).toEqual([
      'Answers: First name = Nomsa',
      'Answers: Date of birth = 7 March 1990',
      'Answers: Some new control = x',
    ]);
  });

  test('have a long text in several rows, as no row is broken between pages', () => {
    const text = `${'word '.repeat(400)}\n\nend`;
    const [group] = recordGroups([{ table: 'desk_note', rows: [{ text }] }], 'en');
    const rows = group?.rows ?? [];
    expect(rows.map(({ term }) => term)).toEqual(['Text', '', '', '', '', '']);
    expect(rows.every(({ value }) => value.length <= 450)).toBe(true);
    expect(rows.map(({ value }) => value).join(' ')).toBe(text.replaceAll(/\s+/g, ' '));
  });
});
