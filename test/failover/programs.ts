import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** PostgreSQL's programs for a primary and its standby; the embedded one comes without the second. */
const NEEDED = ['initdb', 'pg_basebackup', 'pg_ctl', 'postgres'] as const;
export type Programs = Record<(typeof NEEDED)[number], string>;

const DEBIAN = '/usr/lib/postgresql';

/**
 * PostgreSQL as Debian installs it, the newest; or the folder in PG_BIN.
 * @throws Error that says what is missing and how to install it.
 */
export function findPrograms(): Programs {
  const folders = process.env.PG_BIN
    ? [process.env.PG_BIN]
    : (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(DEBIAN, version, 'bin'));
  const missingIn = (folder: string) =>
    NEEDED.filter((program) => !existsSync(join(folder, program)));
  const folder = folders.find((one) => missingIn(one).length === 0);
  if (folder === undefined) {
    const missing = folders[0] === undefined ? NEEDED : missingIn(folders[0]);
    throw new Error(
      `A primary with a standby takes PostgreSQL 15 or newer with ${missing.join(', ')}, which ${folders[0] ?? DEBIAN} does not hold: "apt-get install postgresql" installs it, or PG_BIN names its folder`,
    );
  }
  return {
    initdb: join(folder, 'initdb'),
    pg_basebackup: join(folder, 'pg_basebackup'),
    pg_ctl: join(folder, 'pg_ctl'),
    postgres: join(folder, 'postgres'),
  };
}
