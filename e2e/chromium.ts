import { existsSync } from 'node:fs';

/** Draws pages and no window, in a quarter less time. */
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

/** A Chromium of this machine; undefined means the one that Playwright installed. */
export const findChromium = (): string | undefined => firstOf([SHELL, ...usualPlaces]);

/** One that also keeps pages to go back to. */
export const findWholeChromium = (): string | undefined => firstOf(usualPlaces);
