// Prepares a fresh clone: packages, with --build the production build, with --browser a Chromium for the journeys. What
// is up to date is left alone, so that later starts are fast. A program that is named behind that is run afterwards.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { prepareBrowser } from './prepare-browser.mjs';
import { prepareBuild } from './prepare-build.mjs';
import { preparePackages } from './prepare-packages.mjs';
import { fail, findNode, NEEDED_NODE, runProgram } from './node.mjs';

const words = process.argv.slice(2);
const count = words.findIndex((word) => !word.startsWith('--'));
const options = count === -1 ? words : words.slice(0, count);
const [program, ...args] = words.slice(options.length);

let node;
try {
  preparePackages();
  node = findNode();
  if (!node || !existsSync(node)) {
    throw new Error(
      `Node ${NEEDED_NODE} or newer is needed. This is ${process.version}, and there is no packaged one for ${process.platform}-${process.arch}.`,
    );
  }
  if (options.includes('--build')) prepareBuild(node);
  if (options.includes('--browser')) await prepareBrowser(node);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
if (program) await runProgram(node, resolve(program), args);
