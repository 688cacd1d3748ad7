import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import type { VisaAnswers, CountryTerms, CheckContext } from './answers.ts';
import { check } from './check.ts';
import { firstIncomplete, mayOpen, nextStep } from './checked-journey.ts';
import { controlsByFields } from '~/features/form/answers/controls.ts';
import { previousStep, journeySteps, stepById, steps } from './steps.ts';
import { mergeTyped, voidedByCountry, readVisaAnswers, visaForm } from './typed.ts';
import { questions, fields } from './questions.ts';
import { completeAnswers, countries, exemptAnswers, NOW } from '../testing/sample-answers.ts';

const checkContext = (country: CountryTerms | null): CheckContext => ({
  now: NOW,
  country,
  office: firstOffice,
  readPhone,
});
const { southAfrica, india, egypt, germany, cuba } = countries;

/** Answers of a traveller at some step: valid ones, some of them missing, wrong or for another country. */
const anyAnswers = fc
  .record({
    country: fc.constantFrom(southAfrica, india, egypt, germany, cuba, null),
    broken: fc.dictionary(
      fc.constantFrom(...fields),
      fc.constantFrom('', 'no', 'x', '2020-01-01', '2027-02-30', 'yes', 'exempt'),
    ),
  })
  .map(({ country, broken }) => ({
    country,
    answers: { ...completeAnswers(country ?? southAfrica), ...broken } satisfies VisaAnswers,
  }));

describe('the steps', () => {
  it('ask every question, once and in the order of the table', () => {
    expect(fields).toEqual(Object.keys(questions));
  });

  it('are five without a supporting document and six with one', () => {
    expect(journeySteps(southAfrica, {}).map(({ id }) => id)).toEqual([
      'nationality',
      'what_it_allows',
      'arrival',
      'details',
      'review',
    ]);
    expect(journeySteps(india, {}).map(({ id }) => id)).toEqual([
      'nationality',
      'supporting_document',
      'arrival',
      'prerequisites',
      'details',
      'review',
    ]);
  });

  it('are those without a document where the age exempts, after the step that says so', () => {
    expect(journeySteps(egypt, exemptAnswers).map(({ id }) => id)).toEqual([
      'nationality',
      'supporting_document',
      'what_it_allows',
      'arrival',
      'details',
      'review',
    ]);
    expect(firstIncomplete(exemptAnswers, checkContext(egypt)).id).toBe('review');
  });

  it('ask every question exactly once', () => {
    expect(steps.flatMap((step) => step.fields).toSorted()).toEqual(fields.toSorted());
  });
});

describe('the journey', () => {
  test.each([southAfrica, india])('of $code ends at the review', (country) => {
    const answers = completeAnswers(country);
    expect(check(answers, checkContext(country)).problems).toEqual([]);
    expect(firstIncomplete(answers, checkContext(country)).id).toBe('review');
    for (const { id } of journeySteps(country, answers)) {
      expect(mayOpen(id, answers, checkContext(country))).toBe(true);
    }
  });

  it('begins at the nationality, and nothing else may be opened', () => {
    for (const { id } of steps) {
      expect(mayOpen(id, {}, checkContext(null)), id).toBe(id === 'nationality');
    }
  });

  test.each([germany, cuba, null])('goes nowhere without an e-visa', (country) => {
    const answers = completeAnswers(country ?? southAfrica);
    expect(nextStep('nationality', answers, checkContext(country))).toBeNull();
    expect(mayOpen('details', answers, checkContext(country))).toBe(false);
  });

  it('stops where no supporting document is held', () => {
    const answers = { ...completeAnswers(india), hasSupportingDocument: 'no' };
    expect(firstIncomplete(answers, checkContext(india)).id).toBe('supporting_document');
  });

  it('goes on only when the checks of the step pass', () => {
    fc.assert(
      fc.property(anyAnswers, fc.constantFrom(...steps), ({ country, answers }, step) => {
        const here = checkContext(country);
        if (nextStep(step.id, answers, here) === null) return;
        const wrong = check(answers, here).problems.map(({ field }) => field);
        expect(step.fields.filter((field) => wrong.includes(field))).toEqual([]);
      }),
    );
  });

  it('reaches every step that may be opened by Next alone, and comes back by Previous', () => {
    fc.assert(
      fc.property(anyAnswers, ({ country, answers }) => {
        const here = checkContext(country);
        const reached = [stepById('nationality')];
        for (
          let at = nextStep('nationality', answers, here);
          at;
          at = nextStep(at.id, answers, here)
        ) {
          expect(previousStep(at.id, country, answers)).toEqual(reached.at(-1));
          reached.push(at);
        }
        const open = journeySteps(country, answers).filter(({ id }) => mayOpen(id, answers, here));
        expect(reached).toEqual(open);
        expect(reached.at(-1)).toEqual(firstIncomplete(answers, here));
      }),
    );
  });

  it('forgets with the country what depended on it, and keeps the rest', () => {
    const typed = Object.fromEntries(controlsByFields(visaForm).map((control) => [control, 'yes']));
    const changed = mergeTyped({ ...typed, countryId: 'IND' }, { countryId: 'ZAF' });
    for (const control of controlsByFields(visaForm, voidedByCountry))
      expect(changed[control]).toBeUndefined();
    expect(changed).toMatchObject({ countryId: 'ZAF', firstName: 'yes', 'arrivalDate-day': 'yes' });
    const answers = readVisaAnswers(changed);
    expect(answers.hasSupportingDocument).toBe('');
    expect(answers.processingType).toBe('');
  });

  it('forgets the speed and its price where the age exempts, or no longer does', () => {
    const typed = { countryId: 'EGY', hasSupportingDocument: 'yes', processingType: 'fast' };
    const exempt = mergeTyped(typed, { hasSupportingDocument: 'exempt' });
    expect(exempt).toEqual({ countryId: 'EGY', hasSupportingDocument: 'exempt' });
    const again = { ...exempt, processingType: 'standard' };
    expect(mergeTyped(again, { hasSupportingDocument: 'exempt' })).toEqual(again);
    expect(mergeTyped(again, { hasSupportingDocument: 'yes' })).not.toHaveProperty(
      'processingType',
    );
  });

  it('keeps everything when the same country is sent again', () => {
    const typed = { countryId: 'IND', processingType: 'slow' };
    expect(mergeTyped(typed, { countryId: 'IND', documentType: 'ordinary' })).toEqual({
      ...typed,
      documentType: 'ordinary',
    });
  });
});
