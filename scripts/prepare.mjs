// Prepares a fresh clone: packages, with --build the production build, with --browser a Chromium for the journeys. What
// is up to date is left alone, so that later starts are fast.
import { existsSync } from 'node:fs';
import { prepareBrowser } from './prepare-browser.mjs';
import { prepareBuild } from './prepare-build.mjs';
import { preparePackages } from './prepare-packages.mjs';
import { findNode, NEEDED_NODE } from './node.mjs';

const options = new Set(process.argv.slice(2));

try {
  preparePackages();
  const node = findNode();
  if (!node || !existsSync(node)) {
    throw new Error(
      `Node ${NEEDED_NODE} or newer is needed. This is ${process.version}, and there is no packaged one for ${process.platform}-${process.arch}.`,
    );
  }
  if (options.has('--build')) prepareBuild(node);
  if (options.has('--browser')) await prepareBrowser(node);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
