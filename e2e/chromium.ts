import { existsSync } from 'node:fs';

const usualPlaces = [
  // Without a window to draw it needs a quarter less time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A Chromium of this machine; undefined means the one that Playwright installed. */
export function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  return given && existsSync(given) ? given : usualPlaces.find((place) => existsSync(place));
}
