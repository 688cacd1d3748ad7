import { existsSync } from 'node:fs';

/** A Chromium without a window, which takes a quarter less time. */
const SHELL = '/usr/bin/chromium-headless-shell';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const firstOf = (places: readonly string[]): string | undefined => {
  const given = process.env.CHROMIUM_PATH;
  return given && existsSync(given) ? given : places.find((place) => existsSync(place));
};

/** An installed Chromium; undefined means Playwright's own. */
export const findChromium = (): string | undefined => firstOf([SHELL, ...usualPlaces]);

/** One with a back/forward cache, and cameras that it may ask for. */
export const findWholeChromium = (): string | undefined => firstOf(usualPlaces);
