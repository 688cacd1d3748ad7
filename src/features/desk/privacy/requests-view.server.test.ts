import { describe, expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { languageCodes } from '~/base/languages.ts';
import { replyOf } from './requests-view.server.ts';
import { needed } from '../../../../test/needed.ts';

const own = {
  applicationIds: ['a'],
  orderIds: [],
  draftIds: [],
  caseIds: [],
  staffIds: [],
};
const found = {
  kind: 'erasure',
  law: 'kvkk',
  arrivedOn: needed(parseDate('2026-11-20')),
  erasedAt: new Date('2026-11-23T10:00:00Z'),
} as const;
const facts = {
  found,
  own,
  hasNothing: false,
  keepsInsurance: false,
  years: { ledger: 10, insurance: 12, request: 3 },
  operatorName: 'Lale Ltd',
};

describe('a reply to begin with', () => {
  test('says of an erasure what stays, by which law and how long, and where to complain', () => {
    const reply = replyOf({ ...facts, keepsInsurance: true }, 'en') ?? '';
    for (const sentence of [
      'On 20 November 2026 you asked us to erase',
      'We erased your data on 23 November 2026',
      'for 10 years (Turkish Tax Procedure Law',
      'with its certificate, for 12 years',
      'backups',
      'for 3 years as proof',
      'within 30 days',
      'Lale Ltd',
    ])
      expect(reply).toContain(sentence);
  });

  test('names only what stays', () => {
    expect(replyOf(facts, 'en')).not.toContain('insurance');
    const drafts = { ...own, applicationIds: [], draftIds: ['d'] };
    expect(replyOf({ ...facts, own: drafts }, 'en')).not.toContain('receipts');
    expect(replyOf({ ...facts, hasNothing: true }, 'en')).toContain('no other personal data');
  });

  test('waits for the erasure', () => {
    expect(replyOf({ ...facts, found: { ...found, erasedAt: null } }, 'en')).toBeNull();
  });

  test.each(languageCodes)('has every text in %s', (code) => {
    for (const kind of ['access', 'correction', 'erasure'] as const) {
      for (const law of ['kvkk', 'gdpr'] as const) {
        const reply = replyOf(
          { ...facts, found: { ...found, kind, law }, keepsInsurance: true },
          code,
        );
        expect(reply).not.toMatch(/\breply\.\w|\{\{/);
        expect(reply?.split('\n\n').length).toBeGreaterThan(5);
      }
    }
  });
});
