import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from './node.mjs';
import { run, say, since } from './run.mjs';
import { serverEntries } from './server-entries.mjs';

/** The inputs of the build. */
const inputs = [
  'src',
  'locales',
  'text',
  'public',
  'package-lock.json',
  'react-router.config.ts',
  'tsconfig.json',
  'vite.config.ts',
];
const stamp = join(root, 'build', '.made-from');
const entries = Object.keys(serverEntries).map((name) =>
  join(root, 'build', 'server', `${name}.js`),
);

/** Builds for production, when a source differs from those of the last build. */
export function prepareBuild(node) {
  const hash = hashInputs();
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (isFresh && entries.every((entry) => existsSync(entry))) return;
  const began = Date.now();
  say('Building.');
  rmSync(stamp, { force: true });
  const cli = join(root, 'node_modules', '@react-router', 'dev', 'bin.cjs');
  run(node, [cli, 'build'], { what: 'The build', quiet: true, env: { NODE_ENV: 'production' } });
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stamp, hash);
  say(`Built (${since(began)}).`);
}

/** By content, because a checkout changes the time of files without changing them. */
function hashInputs() {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap(filesBelow)) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .sort()
    .flatMap((name) => filesBelow(`${path}/${name}`))
    .filter((file) => !/\.test\.tsx?$/.test(file));
}
