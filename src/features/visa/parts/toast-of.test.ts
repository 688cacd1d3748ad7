import { describe, expect, test } from 'vitest';
import english from '../../../../locales/en/visa.json' with { type: 'json' };
import type { Problem } from '../rules/rule.ts';
import type { StepId } from '../rules/steps.ts';
import { toastOf } from './toast-of.ts';

const problem = (field: Problem['field'], code = 'required'): Problem => ({ field, code });
const [hasDocument, startDate] = [
  problem('hasSupportingDocument'),
  problem('supportingDocumentStartDate', 'not_before_end'),
];
const tooSoon = problem('arrivalDate', 'too_soon');
const email = problem('email', 'invalid');

describe('the toast of a step that cannot be left', () => {
  test.each<[StepId, Problem[], ReturnType<typeof toastOf>]>([
    ['nationality', [problem('countryId')], { key: 'required_fields' }],
    ['supporting_document', [hasDocument], { key: 'required_selection' }],
    ['supporting_document', [problem('visaCountry')], { key: 'missing_information' }],
    ['supporting_document', [startDate], { problem: startDate }],
    ['arrival', [problem('arrivalDate')], { key: 'arrival_required' }],
    ['arrival', [problem('processingType')], { key: 'processing_required' }],
    ['arrival', [tooSoon, problem('processingType')], { problem: tooSoon }],
    ['prerequisites', [problem('validPassport')], { key: 'prerequisites' }],
    ['details', [email], { problem: email }],
    ['details', [problem('firstName'), email], { key: 'form' }],
    ['details', [], null],
  ])('%s: %o', (step, problems, toast) => expect(toastOf(step, problems)).toEqual(toast));

  test('has the titles of the specification', () => {
    expect(Object.values(english.toast).map(({ title }) => title)).toEqual([
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
