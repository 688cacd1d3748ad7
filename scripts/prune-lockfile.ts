// Run after `npm install`, when a registry does not have a package for every platform. npm then leaves the platform out
// of the lockfile but keeps referring to it, and `npm ci` refuses the whole lockfile on every machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Lockfile = {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>;
};

export const lockfilePath = join(import.meta.dirname, '..', 'package-lock.json');

/** Optional packages that an entry refers to and the lockfile lacks, as `[entry, name]`. */
export function missingOptional({ packages }: Lockfile): [string, string][] {
  return Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isHeld(packages, at, name))
      .map((name): [string, string] => [at, name]),
  );
}

/** Looks where Node would: beside the entry, then further up. */
function isHeld(packages: Lockfile['packages'], from: string, name: string): boolean {
  if (packages[`${from && `${from}/`}node_modules/${name}`]) return true;
  if (!from) return false;
  return isHeld(packages, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

if (import.meta.main) {
  const lock: Lockfile = JSON.parse(readFileSync(lockfilePath, 'utf8'));
  for (const [at, name] of missingOptional(lock))
    delete lock.packages[at]?.optionalDependencies?.[name];
  writeFileSync(lockfilePath, `${JSON.stringify(lock, null, 2)}\n`);
}
