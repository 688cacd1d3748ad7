import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { loadedTexts, textsIn } from '~/i18n/translations.server.ts';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { AgeNotice } from './age-notice.tsx';

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
  expect(markup).toContain(textsIn(code)('catalog:notes.DZA').slice(0, 20));
  expect(markup).toContain(textsIn(code)('visa:age.goOn').slice(0, 20));
});

test('the age on the day of arrival counts, and who is not concerned reads nothing', () => {
  expect(shown('en', '1991-01-15')).toBe('');
  expect(shown('en', '1991-01-16')).toContain('At 35');
  expect(shown('en', '')).toBe('');
});
