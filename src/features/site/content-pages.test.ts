import { describe, expect, it } from 'vitest';
import { isContentPage } from './content-pages.ts';

describe('a page that is the same for everybody', () => {
  it.each([
    ['/', undefined, true],
    ['/tr', 'tr', true],
    ['/ar/faq', 'ar', true],
    ['/faq', undefined, true],
    ['/status', undefined, false],
    ['/tr/application', 'tr', false],
    ['/faq/more', undefined, false],
  ] as const)('%s is asked for: %s %s', (pathname, prefix, expected) => {
    expect(isContentPage({ pathname, search: '' }, prefix)).toBe(expected);
  });

  it('is not the answer to somebody’s question', () => {
    expect(isContentPage({ pathname: '/', search: '?countryId=MEX' }, undefined)).toBe(false);
  });
});
