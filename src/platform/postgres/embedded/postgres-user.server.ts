import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { ConfigError } from '../../config/config-error.server.ts';

export type SystemUser = { uid: number; gid: number };

/** How to start a program as the database's user: the command in front of it, and the options of `spawn`. */
export type RunAs = { prefix: readonly string[]; uid?: number; gid?: number };

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
export function runAs(
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
