import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Language } from '~/base/languages.ts';
import { loadedTexts } from '~/i18n/translations.server.ts';
import { TextsProvider } from '~/ui/texts/texts.tsx';
import { CountryField } from './country-field.tsx';
import { countryOptions } from '../names.server.ts';
import { referenceCountries } from '../reference-data.ts';
import type { CountryOption } from './search.ts';

function html(language: Language, options: readonly CountryOption[], value?: string) {
  return renderToStaticMarkup(
    <TextsProvider texts={loadedTexts(language)}>
      <CountryField label="Nationality" name="countryId" options={options} value={value} />
    </TextsProvider>,
  );
}

describe('the country field as the server sends it', () => {
  it('is a select with a bound label, an empty choice and every country', () => {
    const page = html('en', countryOptions(referenceCountries, 'en'));
    expect(page).toMatch(/<label[^>]* for="countryId"[^>]*>Nationality<\/label>/);
    expect(page).toMatch(/<select[^>]* id="countryId"/);
    expect(page).toMatch(/<select[^>]* name="countryId"/);
    expect(page).toContain('<option value="" selected="">Select a country</option>');
    expect(page.match(/<option /g)).toHaveLength(202);
    expect(page).not.toContain('listbox');
  });

  it('keeps the present choice', () => {
    const page = html('en', countryOptions(referenceCountries, 'en'), 'ZAF');
    expect(page).toContain('<option value="ZAF" selected="">South Africa</option>');
  });

  it("names and sorts the countries in the page's language", () => {
    const page = html('ar', countryOptions(referenceCountries, 'ar'));
    expect(page).toContain('<option value="ZAF">جنوب أفريقيا</option>');
    expect(page.indexOf('"ESP"')).toBeLessThan(page.indexOf('"YEM"'));
  });

  it('says when there is no country to choose', () => {
    expect(html('en', [])).toContain('No countries available');
  });
});
