import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import { parseFragment } from 'parse5';
import ui from '../../../locales/en/ui.json';
import { Progress } from '../progress.tsx';
import { TextsProvider } from '../texts/texts.tsx';
import { dismissToast, removeToast, showToast } from '../page/toast-queue.ts';
import { DateField } from './date-field.tsx';
import { FormHead } from './error-summary.tsx';
import { RadioCards } from './radio-cards.tsx';
import { RadioList } from './radio-list.tsx';
import { TextField } from './text-field.tsx';
import { selectOption, optionsMarkup } from './option-markup.ts';
import { splitCode } from './number-code.tsx';

const texts = {
  language: 'en',
  direction: 'ltr' as const,
  textsOf: (namespace: string) => (namespace === 'ui' ? ui : undefined),
};
const html = (element: ReactNode) =>
  renderToStaticMarkup(<TextsProvider texts={texts}>{element}</TextsProvider>);

describe('a field', () => {
  it('ties label, hint and error to its control', () => {
    const markup = html(
      <TextField error="Wrong" hint="As printed" label="Place of birth" name="placeOfBirth" />,
    );
    expect(markup).toContain('<label class="field-label" for="placeOfBirth">');
    expect(markup).toContain('aria-describedby="placeOfBirth-hint placeOfBirth-error"');
    expect(markup).toContain('aria-invalid="true"');
    expect(markup).toContain('id="placeOfBirth-error"');
  });

  it('says nothing of errors while there is none', () => {
    const markup = html(<TextField label="Place of birth" name="placeOfBirth" />);
    expect(markup).not.toMatch(/aria-|has-error/);
  });

  it('writes no style attributes: the policy of the pages forbids them', () => {
    expect(html(<DateField label="Date of birth" name="dateOfBirth" />)).not.toContain('style=');
  });
});

describe('a date', () => {
  const markup = () =>
    html(
      <DateField
        birthday
        defaultValue={{ day: '14', month: 'July', year: '1991' }}
        label="Date of birth"
        name="dateOfBirth"
      />,
    );

  it.each(['day', 'month', 'year'])('posts its %s under the name of the field', (part) => {
    expect(markup()).toContain(`name="dateOfBirth-${part}"`);
    expect(markup()).toContain(`autoComplete="bday-${part}"`);
  });

  it('is said to be wrong once, by its group, and each part is marked', () => {
    const wrong = html(<DateField error="Missing" isRequired label="Birth" name="birth" />);
    expect(wrong.match(/birth-error/g)).toHaveLength(2);
    expect(wrong).toMatch(/<fieldset[^>]* aria-describedby="birth-error"/);
    expect(wrong.match(/aria-invalid="true" aria-required="true"/g)).toHaveLength(3);
  });

  it('is reached by the name of the field, which an error summary links to', () => {
    expect(markup()).toContain('id="dateOfBirth"');
    expect(
      html(<FormHead problems={[{ name: 'dateOfBirth', message: 'Missing' }]} title="Form" />),
    ).toContain('href="#dateOfBirth"');
  });
});

describe('an error summary', () => {
  const problem = (name: string) => ({ name, message: name });
  it.each([
    [['a'], 'There is a problem with one answer'],
    [['a', 'b'], 'There is a problem with two answers'],
    [['a', 'b', 'c'], 'There is a problem with 3 answers'],
  ])('of %j says "%s"', (names, heading) => {
    expect(html(<FormHead problems={names.map(problem)} title="Form" />)).toContain(heading);
  });

  it('is not there without a problem', () => {
    expect(html(<FormHead problems={[]} title="Form" />)).toBe('<title>Form</title>');
  });
});

describe('radio buttons', () => {
  it('are named by their label with its hint, which does not describe them again', () => {
    const options = [{ value: 'yes', label: 'Yes', hint: 'In your own name' }];
    const markup = html(<RadioList label="Is it?" name="isIt" options={options} />);
    expect(markup).toContain('In your own name');
    expect(markup).not.toContain('aria-describedby');
  });
});

describe('the progress of a form', () => {
  it('is named by the step that it has come to', () => {
    const steps = [
      { label: 'Trip', to: '/trip' },
      { label: 'Traveller', to: '/traveller' },
    ];
    const markup = html(<Progress current={1} steps={steps} />);
    expect(markup).toContain('<nav aria-labelledby="progress"');
    expect(markup).toMatch(/<p[^>]* id="progress">Step 2 of 2: Traveller<\/p>/);
    expect(markup).not.toContain('aria-hidden');
  });
});

describe('cards to choose from', () => {
  it('give the id of the field to the first that can be chosen', () => {
    const card = (value: string, disabled: boolean) => ({
      value,
      name: value,
      details: [],
      momentLabel: 'Ready by',
      moment: 'today',
      price: '$1.00',
      disabled,
    });
    const markup = html(
      <RadioCards
        cards={[card('slow', true), card('fast', false)]}
        label="How soon?"
        name="processingType"
      />,
    );
    expect(markup).toContain('id="processingType-slow"');
    expect(markup).toMatch(/id="processingType"[^>]*value="fast"/);
  });
});

const option = fc.record({ id: fc.string(), name: fc.string() });
const options = fc.uniqueArray(option, { selector: ({ id }) => id, maxLength: 6 });

test('options are what React makes of them, whatever stands in them', () => {
  fc.assert(
    fc.property(options, fc.nat(8), (list, at) => {
      const chosen = list[at]?.id ?? 'none';
      const ours = selectOption(optionsMarkup(list), chosen);
      const theirs = renderToStaticMarkup(
        <select defaultValue={chosen}>
          {list.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>,
      );
      expect(parseFragment(`<select>${ours}</select>`)).toEqual(parseFragment(theirs));
    }),
  );
});

describe('a number in groups', () => {
  it.each([
    ['TRV7K2M9QXD4HPBR', ['TRV', '7K2M', '9QXD', '4HPB', 'R']],
    ['TRV7K', ['TRV', '7K']],
    ['TRV7K2M9QXD4HPBR123', ['TRV', '7K2M', '9QXD', '4HPB', 'R', '123']],
    ['', []],
  ])('%s is %j', (value, groups) => {
    expect(splitCode(value, [3, 4, 4, 4, 1])).toEqual(groups);
  });
});

const toast = (id: number) => ({ id, open: true, content: `message ${id}` });

describe('toasts', () => {
  it('are shown one at a time, the newest', () => {
    expect(showToast(showToast([], toast(1)), toast(2))).toEqual([toast(2)]);
  });

  it('stay in the list when dismissed, closed, until they are removed', () => {
    const dismissed = dismissToast([toast(1)], 1);
    expect(dismissed).toEqual([{ ...toast(1), open: false }]);
    expect(removeToast(dismissed, 1)).toEqual([]);
  });

  it('are not touched by what happens to another', () => {
    expect(dismissToast([toast(2)], 1)).toEqual([toast(2)]);
    expect(removeToast([toast(2)], 1)).toEqual([toast(2)]);
  });
});
