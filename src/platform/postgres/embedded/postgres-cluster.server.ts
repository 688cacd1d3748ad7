import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { ConfigError } from '../../config/config-error.server.ts';
import type { PostgresBinaries } from './postgres-binaries.server.ts';
import { runAs, type SystemUser } from './postgres-user.server.ts';

/**
 * The accounts of a cluster: `owner` is its superuser, `service` owns the one database and can do nothing else, `runtime`
 * owns nothing: the service itself runs with it.
 */
const access = z.object({
  port: z.int(),
  ownerPassword: z.string(),
  servicePassword: z.string(),
  runtimePassword: z.string(),
});
export type ClusterAccess = z.infer<typeof access>;

export const OWNER = 'owner';
export const SERVICE = 'service';
export const RUNTIME = 'runtime';

const MAJOR = '18';

/** Makes the cluster unless it exists. It is prepared beside and renamed, so a half-made one is never started. */
export async function ensureCluster(
  cluster: string,
  binaries: PostgresBinaries,
  user: SystemUser | undefined,
): Promise<void> {
  if (existsSync(join(cluster, 'PG_VERSION'))) return checkVersion(cluster);
  const parent = dirname(cluster);
  mkdirSync(parent, { recursive: true });
  removeDrafts(cluster);
  const draft = `${cluster}.new-${randomBytes(4).toString('hex')}`;
  mkdirSync(draft, { mode: 0o700 });
  if (user) chownSync(draft, user.uid, user.gid);
  const made: ClusterAccess = {
    port: 0,
    ownerPassword: password(),
    servicePassword: password(),
    runtimePassword: password(),
  };
  try {
    await initdb(draft, binaries, user, made.ownerPassword);
    saveAccess(draft, made);
    renameSync(draft, cluster);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

export function readAccess(cluster: string): ClusterAccess {
  return access.parse(JSON.parse(readFileSync(join(cluster, 'access.json'), 'utf8')));
}

export function saveAccess(cluster: string, value: ClusterAccess): void {
  const path = join(cluster, 'access.json');
  writeFileSync(`${path}.part`, `${JSON.stringify(value)}\n`, { mode: 0o600, flush: true });
  renameSync(`${path}.part`, path);
}

function checkVersion(cluster: string): void {
  const version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR) {
    throw new ConfigError([
      `DATA_DIR: ${cluster} was written by PostgreSQL ${version}, this one is ${MAJOR}; it has to be upgraded first`,
    ]);
  }
  if (!existsSync(join(cluster, 'access.json'))) {
    throw new ConfigError([`DATA_DIR: ${cluster} is a database, but not one of this service`]);
  }
}

function removeDrafts(cluster: string): void {
  const prefix = `${basename(cluster)}.new-`;
  for (const name of readdirSync(dirname(cluster))) {
    if (name.startsWith(prefix))
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
  }
}

function password(): string {
  return randomBytes(24).toString('base64url');
}

/** The built-in locale makes it independent of what the system has installed, and sorting the same everywhere. */
async function initdb(
  draft: string,
  binaries: PostgresBinaries,
  user: SystemUser | undefined,
  ownerPassword: string,
): Promise<void> {
  const passwordFile = `${draft}.password`;
  writeFileSync(passwordFile, ownerPassword, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  const options = [
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const { prefix, ...identity } = runAs(user, [binaries.folder, draft]);
  const [program, ...args] = [
    ...prefix,
    binaries.initdb,
    ...options,
    '-D',
    draft,
    '-U',
    OWNER,
    `--pwfile=${passwordFile}`,
  ];
  try {
    const child = spawn(program, args, {
      ...identity,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
      env: environment(),
    });
    const [complaint, code] = await Promise.all([
      text(child.stderr),
      new Promise<number | null>((resolve, reject) =>
        child.once('error', reject).once('close', resolve),
      ),
    ]);
    if (code !== 0)
      throw new ConfigError([
        `The built-in database could not be set up in ${dirname(draft)}: ${lastLines(complaint)}`,
      ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Of our environment only what the programs need: no secrets, and no PG… settings. */
export function environment(): NodeJS.ProcessEnv {
  const { PATH, TZ, SystemRoot, TEMP } = process.env;
  return { PATH, TZ, SystemRoot, TEMP, LC_ALL: 'C' };
}

export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-4).join(' | ');
}
