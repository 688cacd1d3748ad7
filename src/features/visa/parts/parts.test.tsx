import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, describe, it } from 'vitest';
import { languages } from '~/base/languages.ts';
import { loadedTexts, makeTranslate } from '~/i18n/translations.server.ts';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { AgeNotice } from './age-notice.tsx';
import { ReplacedNotice } from './replaced-notice.tsx';
import { firstOffice } from '~/base/dates/office.ts';
import { toDecimal } from '~/base/money.ts';
import { firstPriceList } from '../testing/first-price-list.ts';
import { countries, NOW } from '../testing/sample-answers.ts';
import { previewPromise } from '../rules/ready-by.ts';
import { priceSummary } from './summary.ts';
import english from '../../../../locales/en/visa.json' with { type: 'json' };
import type { VisaProblem } from '../rules/answers.ts';
import type { StepId } from '../rules/step-ids.ts';
import { findRefusal } from './use-step-form.tsx';

const algeria = {
  code: 'DZA',
  regime: 'evisa_with_document',
  maxStayDays: 30,
  entries: 'single',
} as const;
const shown = (code: (typeof languages)[number]['code'], dateOfBirth: string) =>
  renderToStaticMarkup(
    <TextsProvider texts={loadedTexts(code)}>
      <AgeNotice answers={{ dateOfBirth, arrivalDate: '2027-01-15' }} country={algeria} />
    </TextsProvider>,
  );

test.each(languages)('an Algerian of 26 is warned before paying in $name', ({ code }) => {
  const markup = shown(code, '2000-06-01');
  expect(markup).toContain('26');
  expect(markup).toContain(makeTranslate(code)('catalog:notes.DZA').slice(0, 20));
  expect(markup).toContain(makeTranslate(code)('visa:age.goOn').slice(0, 20));
});

test('the age on the day of arrival counts, and who is not concerned reads nothing', () => {
  expect(shown('en', '1991-01-15')).toBe('');
  expect(shown('en', '1991-01-16')).toContain('At 35');
  expect(shown('en', '')).toBe('');
});

test.each(languages)("another tab's answers stand behind their labels in $name", ({ code }) => {
  const t = makeTranslate(code);
  const markup = renderToStaticMarkup(
    <TextsProvider texts={loadedTexts(code)}>
      <ReplacedNotice replaced={{ purpose: 'trade', processingType: 'urgent' }} />
    </TextsProvider>,
  );
  const colon = code === 'fr' ? '\u00a0:' : ':';
  const label = t('visa:labels.purpose');
  const answer = t('visa:what_it_allows.trade');
  expect(markup).toContain(`<li>${label}${colon} <bdi>${answer}</bdi></li>`);
  expect(markup).toContain(`<bdi>${t('application:service.urgent.name')}</bdi>`);
});

const at = firstPriceList;
const { southAfrica, india, egypt, germany } = countries;
const total = (...args: Parameters<typeof priceSummary>) => {
  const summary = priceSummary(...args);
  return [toDecimal(summary.total), summary.isFrom];
};

describe('the summary', () => {
  it('says from when on, until a speed is chosen', () => {
    expect(total({}, null, at)).toEqual(['94.00', true]);
    expect(total({}, southAfrica, at)).toEqual(['94.00', true]);
    expect(total({}, india, at)).toEqual(['119.00', true]);
    expect(total({ processingType: 'express' }, india, at)).toEqual(['119.00', true]);
    expect(total({ processingType: 'standard' }, germany, at)).toEqual(['94.00', true]);
  });

  it('says it of the cheapest in time for the arrival, as the step with the speeds will', () => {
    const inTime = { without_document: 'fast', with_document: 'standard' } as const;
    expect(total({}, india, at, inTime)).toEqual(['184.00', true]);
    expect(total({}, southAfrica, at, inTime)).toEqual(['144.00', true]);
    expect(total({}, india, at, { with_document: null })).toEqual(['119.00', true]);
  });

  it('costs an exempt Egyptian what an e-visa without a document does', () => {
    expect(total({ hasSupportingDocument: 'exempt' }, egypt, at)).toEqual(['94.00', true]);
    expect(total({ hasSupportingDocument: 'yes' }, egypt, at)).toEqual(['119.00', true]);
  });

  it('adds the speed to the fee', () => {
    expect(total({ processingType: 'urgent' }, southAfrica, at)).toEqual(['364.00', false]);
    expect(total({ processingType: 'standard' }, india, at)).toEqual(['184.00', false]);
    expect(total({ processingType: 'urgent_1' }, india, at)).toEqual(['714.00', false]);
  });

  it('leaves a wrong arrival out', () => {
    const answers = { processingType: 'urgent', arrivalDate: 'soon' };
    expect(priceSummary(answers, southAfrica, at).arrival).toBeNull();
  });

  it('goes with the moment that is promised for the chosen speed', () => {
    const promised = (processingType: string, country = southAfrica) =>
      previewPromise({ processingType }, country, NOW, firstOffice)?.toISOString();
    expect(promised('urgent')).toBe('2026-11-23T12:00:00.000Z');
    expect(promised('slow')).toBeUndefined();
    expect(promised('standard', germany)).toBeUndefined();
  });
});

const problem = (field: VisaProblem['field'], code = 'required'): VisaProblem => ({ field, code });
const [hasDocument, startDate] = [
  problem('hasSupportingDocument'),
  problem('supportingDocumentStartDate', 'not_before_end'),
];
const tooSoon = problem('arrivalDate', 'too_soon');
const email = problem('email', 'invalid');

describe('what a step is refused with', () => {
  test.each<[StepId, VisaProblem[], ReturnType<typeof findRefusal>]>([
    ['nationality', [problem('countryId')], 'required_fields'],
    ['supporting_document', [hasDocument], 'required_selection'],
    ['supporting_document', [problem('visaCountry')], 'missing_information'],
    ['supporting_document', [startDate], null],
    ['arrival', [problem('arrivalDate')], 'arrival_required'],
    ['arrival', [problem('processingType')], 'processing_required'],
    ['arrival', [tooSoon, problem('processingType')], null],
    ['prerequisites', [problem('validPassport')], 'prerequisites'],
    ['details', [email], null],
    ['details', [problem('firstName'), email], 'form'],
    ['details', [], null],
  ])('%s: %o', (step, problems, refusal) => expect(findRefusal(step, problems)).toBe(refusal));

  test('has the titles of the specification', () => {
    expect(Object.values(english.refused).map(({ title }) => title)).toEqual([
      'Required Fields',
      'Required Selection',
      'Missing Information',
      'Arrival Date Required',
      'Processing Type Required',
      'Prerequisites required',
      'Form validation error',
    ]);
  });
});
