import { describe, expect, it } from 'vitest';
import { listedPageAt, listedPages, navigationKeyOf } from './listed-pages.ts';

describe('the page that search engines may list', () => {
  it.each([
    ['/', '/'],
    ['/apply', '/application'],
    ['/insurance-simple', '/insurance'],
    ['/faq', '/faq'],
    ['/application/details', undefined],
    ['/payment-success', undefined],
    ['/nothing', undefined],
  ])('at %s is %s', (pathname, page) => {
    expect(listedPageAt(pathname)).toBe(page);
  });

  it('is named once', () => {
    expect(new Set(listedPages.map(navigationKeyOf)).size).toBe(listedPages.length);
  });
});
