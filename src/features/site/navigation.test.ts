import { describe, expect, it } from 'vitest';
import { inLanguage, isAt, mainPages } from './navigation.ts';

describe('the current part of the site', () => {
  it.each([
    ['/', 'home'],
    ['/application', 'apply'],
    ['/application/arrival', 'apply'],
    ['/apply/details', 'apply'],
    ['/insurance-simple', 'insurance'],
    ['/status', 'status'],
  ])('%s lies under %s alone', (pathname, key) => {
    expect(mainPages.filter((page) => isAt(page, pathname)).map((page) => page.key)).toEqual([key]);
  });

  it.each(['/applications', '/statuses'])('%s lies under none', (pathname) => {
    expect(mainPages.some((page) => isAt(page, pathname))).toBe(false);
  });
});

describe('the same page in another language', () => {
  it.each([
    ['/', '', '/tr'],
    ['/', '?nationality=MEX', '/tr?nationality=MEX'],
    ['/status', '?ref=TRV', '/tr/status?ref=TRV'],
  ])('of %s%s is %s', (pathname, search, address) => {
    expect(inLanguage('tr', pathname, search)).toBe(address);
  });
});
