import { describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { correctable as ofInsurance } from '~/features/insurance/correctable.ts';
import { correctable as ofVisa } from '~/features/visa/correctable.ts';
import { rejectionCodes } from './rejection.ts';
import {
  fillTemplate,
  LONGEST_TEMPLATE,
  templateKinds,
  tidyTemplate,
  wrongPlaceholder,
} from './template.ts';
import { defaultTemplate } from './templates.server.ts';

describe('the placeholders of a template', () => {
  test.each([
    ['rejection', 'Quote {{number}}.', null],
    ['rejection', 'Quote {{ number }} twice: {{number}}.', null],
    // Anybody with the number reads the reason on the status page.
    ['rejection', 'Dear {{name}}', '{{name}}'],
    ['correction', 'Dear {{name}}, see {{number}}', null],
    ['correction', 'Dear {{Name}}', '{{Name}}'],
    ['correction', 'Dear {{first name}}', '{{first name}}'],
    ['correction', 'Dear {name}', '{name'],
    ['correction', 'Dear {{name', '{{name'],
    ['correction', 'Dear name}}', '}}'],
    ['correction', 'Dear {{{name}}}', '{'],
  ] as const)('of a %s: “%s” has %s wrong', (kind, text, wrong) => {
    expect(wrongPlaceholder(kind, text)).toBe(wrong);
  });

  test('are filled in once, whatever a name looks like', () => {
    const filled = fillTemplate('{{name}} ({{ number }})', { name: '$& {{number}}', number: 'X' });
    expect(filled).toBe('$& {{number}} (X)');
  });
});

test('a template is one paragraph', () => {
  expect(tidyTemplate('  Two \r\n\r\n lines ')).toBe('Two lines');
});

test.each(languageCodes)(
  'every reason and every field has a text in %s that fits and needs nothing filled in',
  (language) => {
    const names = {
      rejection: rejectionCodes.filter((code) => code !== 'other'),
      correction: [...ofVisa, ...ofInsurance],
    };
    for (const kind of templateKinds) {
      for (const name of names[kind]) {
        const text = defaultTemplate({ kind, name }, language);
        expect(text, `${kind} ${name}`).toBeTruthy();
        expect(text).not.toContain('{');
        expect(text?.length).toBeLessThanOrEqual(LONGEST_TEMPLATE);
        expect(tidyTemplate(text ?? '')).toBe(text);
      }
    }
    expect(defaultTemplate({ kind: 'rejection', name: 'other' }, language)).toBeNull();
  },
);
