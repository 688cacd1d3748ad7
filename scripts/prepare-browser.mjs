import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './node.mjs';
import { run, say, since } from './run.mjs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Finds a Chromium for the journeys or installs one. */
export async function prepareBrowser(node) {
  if (await findBrowser()) return;
  const began = Date.now();
  const ways = isDebianRoot() ? [installPackage, downloadBrowser] : [downloadBrowser];
  for (const install of ways) {
    try {
      install(node);
    } catch (error) {
      say(error.message);
    }
    if (await findBrowser()) return say(`A Chromium is there (${since(began)}).`);
  }
  throw new Error(
    'No Chromium could be found or installed. Install one and set CHROMIUM_PATH to its program.',
  );
}

async function findBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given && !existsSync(given)) say(`CHROMIUM_PATH names ${given}, which does not exist.`);
  const { chromium } = await import('playwright-core');
  return [given, ...usualPlaces, chromium.executablePath()].find(
    (path) => path && existsSync(path),
  );
}

/** On Ubuntu the package of this name only refers to a snap. */
function isDebianRoot() {
  const release = '/etc/os-release';
  return (
    process.getuid?.() === 0 &&
    existsSync(release) &&
    /^ID=debian$/m.test(readFileSync(release, 'utf8'))
  );
}

function installPackage() {
  say(
    'Installing Chromium from the Debian packages (apt-get install chromium chromium-headless-shell).',
  );
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  run('apt-get', ['update', '-qq'], { env, quiet: true });
  const packages = ['chromium', 'chromium-headless-shell'];
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
    quiet: true,
  });
}

function downloadBrowser(node) {
  say('Downloading a Chromium (playwright install chromium).');
  run(node, [join(root, 'node_modules', 'playwright', 'cli.js'), 'install', 'chromium'], {
    what: 'The download',
  });
}
