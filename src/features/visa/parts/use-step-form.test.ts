import { describe, expect, test } from 'vitest';
import english from '../../../../locales/en/visa.json' with { type: 'json' };
import type { Problem } from '../rules/answers.ts';
import type { StepId } from '../rules/step-ids.ts';
import { refusedAs } from './use-step-form.tsx';

const problem = (field: Problem['field'], code = 'required'): Problem => ({ field, code });
const [hasDocument, startDate] = [
  problem('hasSupportingDocument'),
  problem('supportingDocumentStartDate', 'not_before_end'),
];
const tooSoon = problem('arrivalDate', 'too_soon');
const email = problem('email', 'invalid');

describe('what a step is refused with', () => {
  test.each<[StepId, Problem[], ReturnType<typeof refusedAs>]>([
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
  ])('%s: %o', (step, problems, refusal) => expect(refusedAs(step, problems)).toBe(refusal));

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
