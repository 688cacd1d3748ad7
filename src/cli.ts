import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { backUpToFolder } from './app/backup/back-up.server.ts';
import { restore } from './app/backup/restore.server.ts';
import { reencrypt, reencryptLines, rehash } from './app/backup/reencrypt.server.ts';
import { toPlainDate, UTC } from './base/dates/dates.ts';
import {
  listErasures,
  repeatedLines,
  repeatErasures,
  readErasures,
} from './features/desk/privacy/repeat-erasures.server.ts';
import { doctor } from './features/desk/setup/run-checks.server.ts';
import { reportLines, verifyTrail } from './features/staff/audit/audit-seal.server.ts';
import { firstDayOfAuditTrail } from './features/staff/accounts/jobs.server.ts';
import { makeResetLink, RESET_MINUTES } from './features/staff/accounts/reset.server.ts';
import { makeIdentity } from './platform/backup/backup-keys.server.ts';
import { runCommand } from './platform/config/command.server.ts';
import { ConfigError } from './platform/config/config-error.server.ts';
import { readConfig } from './platform/config/config.server.ts';
import { ownerAddress } from './platform/config/database-address.ts';
import { freshKeys, rotationLines } from './platform/config/rotate-keys.server.ts';
import { makeSealer } from './platform/crypto/crypto.server.ts';
import { openFileStore } from './platform/files/open-store.server.ts';
import type { Platform } from './platform/platform.server.ts';
import { openDatabase } from './platform/postgres/database.server.ts';
import { visitDatabase } from './platform/postgres/embedded/open-embedded.server.ts';
import { grantService, migrate } from './platform/postgres/migrate.server.ts';

type Service = Pick<Platform, 'config' | 'db' | 'pool' | 'sealer' | 'now'>;

type Given = {
  /** The word behind the command's name, '' where it may be and is left out. */
  word: string;
  /** By their names; the value is '' where an option takes none. */
  options: ReadonlyMap<string, string>;
  /** With the configuration and the database of the service, which may run meanwhile; closes what it opened. */
  onService<T>(work: (service: Service) => Promise<T>): Promise<T>;
};

type Command = {
  /** The word that follows the name: `<needed>` or `[left out]`. */
  word?: string;
  does: string;
  /** `--name` or `--name <value>`, with what it does. */
  options?: Readonly<Record<string, string>>;
  /** When it ends with 1; where it is not said, it never does. */
  endsWith1?: string;
  /** Returns the exit code. */
  run(given: Given): Promise<number>;
};

/** The command line is wrong: exit code 2. */
class UsageError extends Error {
  override name = 'UsageError';
}

const resetRefusals = {
  not_found: 'There is no account with this e-mail address.',
  deactivated: 'This account is deactivated: an administrator has to reactivate it first.',
  no_password:
    'STAFF_PASSWORD_SIGN_IN does not take the password of this account: add its address.',
} as const;

const commands: Readonly<Record<string, Command>> = {
  doctor: {
    does: 'Lists what stands between this configuration and taking money, in order, each with what mends it.',
    endsWith1: 'something does',
    run: () => doctor(process.env),
  },
  keys: {
    does: 'Prints fresh passwords, secrets and keys as lines of an environment file. It stores nothing.',
    options: {
      '--store': 'those of the file store of compose.yaml as well',
      '--owner': "the password of the database's owner alone",
      '--rotate <variable>': 'the steps that replace one of the configured secrets',
    },
    async run({ options }) {
      const [option, ...more] = options.keys();
      if (more.length > 0) throw new UsageError('keys takes one of its options at a time');
      const day = toPlainDate(new Date(), UTC);
      const variable = options.get('rotate');
      if (variable !== undefined)
        return print(rotationLines(variable, readConfig(process.env), day));
      const holder = option === 'store' || option === 'owner' ? option : 'service';
      return print(freshKeys(day, holder));
    },
  },
  migrate: {
    word: '[role]',
    does: "Updates the schema, and grants a role what the service needs. DATABASE_URL names the database's owner, whose password may stand in DATABASE_OWNER_PASSWORD. MODE=test adds the table of the simulated partners.",
    async run({ word: role }) {
      const url = ownerAddress(process.env);
      if (!url) throw new ConfigError(['DATABASE_URL: the address of the owner is needed']);
      const { pool, close } = openDatabase(url, { poolSize: 3 });
      try {
        await migrate(pool, process.env.MODE === 'test' ? 'test' : 'live');
        if (role) await grantService(pool, role);
      } finally {
        await close();
      }
      return print([role ? `Migrated; ${role} may run the service.` : 'Migrated.']);
    },
  },
  'backup-keys': {
    word: '<file>',
    does: "Makes the key that opens backups, in a new file, and prints its public half for the service's variables. Run it on another machine than the service's.",
    run: async ({ word: file }) => print([`BACKUP_RECIPIENT=${await makeIdentity(file)}`]),
  },
  backup: {
    word: '<folder>',
    does: 'Writes database and files into a new folder in this one, encrypted for BACKUP_RECIPIENT. The service may run.',
    endsWith1: 'the file store does not have files that rows name',
    run: ({ word: folder, onService }) => onService((service) => backUpToFolder(service, folder)),
  },
  restore: {
    word: '<folder>',
    does: "Fills an empty database and file store from the folder of one backup, and checks them. BACKUP_IDENTITY_FILE names the key, DATABASE_URL the database's owner, whose password may stand in DATABASE_OWNER_PASSWORD.",
    endsWith1: 'something differs, or nothing was restored; it says what',
    run: ({ word: folder }) => restore(process.env, folder),
  },
  erasures: {
    does: 'Lists the erasures of personal data, or does them again after a restore.',
    options: {
      '--list': 'a line of JSON for each, with ids alone',
      '--repeat <file>': "does again those of such a list, or of the service's log",
    },
    endsWith1: 'some have to wait',
    async run({ options, onService }) {
      if (options.size !== 1) throw new UsageError('erasures needs one of its options');
      const path = options.get('repeat');
      if (path === undefined) {
        const erasures = await onService(listErasures);
        return print(erasures.map((erasure) => JSON.stringify({ erasure })));
      }
      const erasures = readErasures(await readFile(path, 'utf8'));
      const done = await onService((service) => repeatErasures(service, erasures));
      return print(repeatedLines(done), done.waiting.length === 0);
    },
  },
  reencrypt: {
    does: 'Seals with the first of ENCRYPTION_KEYS what another one sealed. The service may run; the command may be killed and run again.',
    options: { '--check': 'only counts' },
    endsWith1: 'something is left; it says where',
    run: ({ options, onService }) =>
      onService(async ({ config, db, pool, sealer }) => {
        const store = openFileStore(config);
        const report = await reencrypt(
          { db, pool, store, sealer, dataKeys: config.encryptionKeys },
          { isCheck: options.has('check'), onProgress: (line) => console.log(line) },
        ).finally(() => store.close());
        return print(reencryptLines(report), Object.keys(report.left).length === 0);
      }),
  },
  rehash: {
    does: 'Puts the newest LOOKUP_KEY on every keyed hash, while no process of the service runs.',
    endsWith1: 'hashes are mixed, and nothing was changed',
    run: ({ onService }) => onService(rehash),
  },
  'verify-audit': {
    does: "Checks that nobody changed the desk's audit trail, as the button on its audit page does.",
    endsWith1: 'somebody did',
    run: ({ onService }) =>
      onService(async (service) => {
        const day = firstDayOfAuditTrail(service.now());
        const verification = await verifyTrail(service, day);
        return print(reportLines(verification), verification.findings.length === 0);
      }),
  },
  'staff-reset': {
    word: '<e-mail>',
    does: 'Prints a link to a new password for somebody at the desk. For when no administrator can sign in to send one.',
    options: { '--second-factor': 'removes the second factor of the account, too' },
    endsWith1: 'this account gets none; it says why',
    async run({ word: email, options, onService }) {
      const secondFactor = options.has('second-factor');
      const made = await onService((service) => makeResetLink(service, { email, secondFactor }));
      if (!made.ok) {
        console.error(resetRefusals[made.error]);
        return 1;
      }
      return print([
        `A new password is chosen here, once, within ${RESET_MINUTES} minutes:`,
        made.value,
        ...(secondFactor
          ? ['The second factor is removed; set it up again after signing in.']
          : []),
      ]);
    },
  },
};

/** Prints the lines; the exit code says whether all is well. */
function print(lines: readonly string[], isWell = true): number {
  for (const line of lines) console.log(line);
  return isWell ? 0 : 1;
}

const usageOf = (name: string, { word, options = {} }: Command): string =>
  [name, word, ...Object.keys(options).map((option) => `[${option}]`)].filter(Boolean).join(' ');

function overview(): string[] {
  const rows = Object.entries(commands).map(([name, { word = '', does }]) => ({
    call: `${name} ${word}`,
    says: does.slice(0, does.indexOf('.')),
  }));
  const width = Math.max(...rows.map(({ call }) => call.length));
  return [
    'npm run lale -- <command> [options]; in an image: node scripts/start.mjs cli <command> [options]',
    '',
    ...rows.map(({ call, says }) => `  ${call.padEnd(width)}  ${says}`),
    '',
    '<command> --help says more. Exit codes: 0, 1 where a command says so, 2 a wrong command line,',
    '78 something that the operator has to put right first, 70 a failure.',
  ];
}

function helpFor(name: string, command: Command): string[] {
  const options = Object.entries(command.options ?? {});
  const width = Math.max(0, ...options.map(([option]) => option.length));
  return [
    `npm run lale -- ${usageOf(name, command)}`,
    '',
    command.does,
    ...options.map(([option, says]) => `  ${option.padEnd(width)}  ${says}`),
    ...(command.endsWith1 ? [`Exit code 1: ${command.endsWith1}.`] : []),
  ];
}

/** @throws UsageError */
function read(name: string, command: Command, words: string[]): Pick<Given, 'word' | 'options'> {
  const options = Object.fromEntries(
    Object.keys(command.options ?? {}).map((option) => {
      const [, own = '', value] = /^--([\w-]+)( <.+>)?$/.exec(option) ?? [];
      return [own, { type: value ? 'string' : 'boolean' } as const];
    }),
  );
  const { values, positionals } = parse(words, options);
  const { word = '' } = command;
  if (positionals.length > (word ? 1 : 0) || (word.startsWith('<') && !positionals[0]))
    throw new UsageError(word ? `${name} takes ${word}` : `${name} takes options alone`);
  return {
    word: positionals[0] ?? '',
    options: new Map(
      Object.entries(values).map(([own, value]) => [own, typeof value === 'string' ? value : '']),
    ),
  };
}

function parse(words: string[], options: Record<string, { type: 'string' | 'boolean' }>) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    // Behind the first sentence Node advises what no command here takes.
    throw new UsageError(String(Object(error).message).split('. ')[0]);
  }
}

async function onService<T>(name: string, work: (service: Service) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
  const visited = await visitDatabase(config);
  const { db, pool, close } = openDatabase(visited.url, { poolSize: 3, name });
  try {
    return await work({ config, db, pool, sealer, now: () => new Date() });
  } finally {
    await close();
    await visited.leave();
  }
}

const [, , , name = '', ...words] = process.argv;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (name === '--help') print(overview());
else if (!command) {
  console.error([...(name ? [`There is no command ${name}.`] : []), ...overview()].join('\n'));
  process.exitCode = 2;
} else if (words.includes('--help')) print(helpFor(name, command));
else {
  await runCommand(async () => {
    try {
      return await command.run({
        ...read(name, command, words),
        onService: (work) => onService(name, work),
      });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      console.error([`${error.message}.`, ...helpFor(name, command)].join('\n'));
      return 2;
    }
  });
}
