import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { ConfigError } from './config-error.server.ts';
import {
  s3Config,
  filesLiveMistakes,
  dataDirMistake,
  filesMistakes,
  filesVariables,
  s3CredentialsGroup,
} from './config-files.server.ts';
import {
  readCardPartner,
  providerConfigs,
  providerTestMistakes,
  providerLiveMistakes,
  type ProvidersGiven,
  providerGroups,
  providerVariables,
} from './config-providers.server.ts';
import { mailboxConfig, mailboxGroup, mailboxVariables } from './config-mailbox.server.ts';
import {
  singleSignOnConfig,
  singleSignOnLiveMistakes,
  singleSignOnGroup,
  singleSignOnMistakes,
  singleSignOnVariables,
} from './config-single-sign-on.server.ts';
import {
  withSamples,
  type AuthoritiesCharge,
  type CardBrand,
  authoritiesCharges,
  cardBrands,
} from './sample-operator.ts';
import { TEST_MARK, testSecrets, type TestSecrets } from '../crypto/secrets.server.ts';
import { transportMistakes, estimateBits, isRandomKey } from './config-live.server.ts';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseMoney } from '~/base/money.ts';
import { url, wholeNumber, yesOrNo } from './config-fields.server.ts';
import { addressMistake } from './database-address.ts';

/** Optional groups: naming one variable asks for the others. */
const groups = [
  ...providerGroups,
  s3CredentialsGroup,
  singleSignOnGroup,
  mailboxGroup,
  ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
] as const;

const lookupKeys = z
  .string()
  .transform((value) =>
    value.split(',').map((part) => new Uint8Array(Buffer.from(part.trim(), 'base64'))),
  )
  .refine((keys) => keys.every(({ length }) => length === 32), {
    error: 'must be 32 bytes in base64, or several, newest first, with commas between them',
  });

const host = z
  .string()
  .refine((value) => isIP(value) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value), {
    error: 'must be an IP address or a host name',
  });

const origin = url('http:', 'https:').refine(
  (value) => !URL.canParse(value) || new URL(value).href === `${new URL(value).origin}/`,
  { error: 'must be an address without a path, like https://example.org' },
);

const databaseAddress = z.string().superRefine((value, context) => {
  const message = addressMistake(value);
  if (message) context.addIssue({ code: 'custom', message });
});

const email = z.email({ error: 'must be an e-mail address' });

const signingSecrets = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((list) => list.every((secret) => secret.length >= 32), {
    error: 'must be secrets of at least 32 characters each, newest first, with commas between them',
  });

const encryptionKeys = z
  .string()
  .transform((value) =>
    value.split(',').map((part) => {
      const [id = '', text = ''] = part.trim().split(/:(.*)/s);
      return { id, key: new Uint8Array(Buffer.from(text, 'base64')) };
    }),
  )
  .refine(
    (keys) =>
      keys.every(({ id, key }) => /^[\w.-]{1,32}$/.test(id) && key.length === 32) &&
      new Set(keys.map(({ id }) => id)).size === keys.length,
    {
      error:
        'must be id:key pairs, newest first, with commas between them; each key is 32 bytes in base64',
    },
  );

/** The command that writes backups checks its checksum. */
const backupRecipient = z.string().regex(/^age1[0-9a-z]+(\s*,\s*age1[0-9a-z]+)*$/, {
  error: 'must be an age recipient like age1…, or several with commas between them',
});

/** Every variable the service reads. Others are ignored: the system and npm set many. */
export const environment = z
  .object({
    PORT: wholeNumber(1, 65_535).prefault('3000'),
    HOST: host.default('127.0.0.1'),
    PUBLIC_URL: origin.optional(),
    MODE: z.enum(['test', 'live'], { error: 'must be test or live' }).default('test'),
    DATA_DIR: z
      .string()
      .default('./var')
      .transform((path) => resolve(path)),
    PROCESSES: z
      .union([z.literal('auto'), wholeNumber(1, 256)], {
        error: 'must be auto, or a whole number from 1 to 256',
      })
      .optional(),
    DRAIN_GRACE_MS: wholeNumber(0, 600_000).optional(),
    DATABASE_URL: databaseAddress.optional(),
    DATABASE_READ_URL: url('postgres:', 'postgresql:').optional(),
    DATABASE_POOL_SIZE: wholeNumber(2, 1000).prefault('16'),
    // The queue holds two connections all the time, and its jobs take one each while they work.
    DATABASE_JOBS_POOL_SIZE: wholeNumber(6, 1000).prefault('8'),
    READS_AT_ONCE: wholeNumber(1, 1000).prefault('3'),
    WORK_AT_ONCE: wholeNumber(2, 1000).prefault('8'),
    WORK_WAITING: wholeNumber(0, 10_000).prefault('32'),
    WORK_WAIT_MS: wholeNumber(0, 60_000).prefault('2000'),
    EVENT_LOOP_DELAY_MS: wholeNumber(10, 60_000).prefault('300'),
    DATABASE_WAIT_MS: wholeNumber(100, 60_000).prefault('4000'),
    DATABASE_WITHOUT_TLS: yesOrNo,
    ...filesVariables,
    BACKUP_RECIPIENT: backupRecipient.optional(),
    MAIL_URL: url('smtp:', 'smtps:').optional(),
    MAIL_FROM: z
      .string()
      .refine((value) => /^([^<>\r\n]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(value), {
        error: 'must be an e-mail address, or a name with one: Name <name@example.org>',
      })
      .default('no-reply@localhost'),
    MAIL_DKIM_SELECTOR: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, {
        error: 'must be the name in front of ._domainkey in the DNS',
      })
      .optional(),
    ...mailboxVariables,
    ALERT_EMAIL: email.optional(),
    SECRETS: signingSecrets.optional(),
    ENCRYPTION_KEYS: encryptionKeys.optional(),
    LOOKUP_KEY: lookupKeys.optional(),
    ADMIN_EMAIL: email.optional(),
    ADMIN_PASSWORD: z.string().min(15, { error: 'must have at least 15 characters' }).optional(),
    ...singleSignOnVariables,
    OPERATOR_LEGAL_NAME: z.string().default('[Operator legal name]'),
    OPERATOR_ADDRESS: z.string().default('[Operator address]'),
    OPERATOR_TAX_NUMBER: z.string().default('[Operator tax number]'),
    OPERATOR_SUPPORT_EMAIL: z.string().default('[Support e-mail]'),
    OPERATOR_SUPPORT_PHONE: z.string().default('[Support phone]'),
    OPERATOR_CONTACT_URL: url('https:', 'mailto:').optional(),
    OPERATOR_LIVE_CHAT_URL: url('https:').optional(),
    OPERATOR_HELP_CENTRE_URL: url('https:', 'mailto:').optional(),
    AUTHORITIES_CHARGE: z
      .enum(authoritiesCharges, { error: 'must be included or not_included' })
      .optional(),
    CARD_BRANDS: z
      .string()
      .transform((text) => text.split(',').map((name) => name.trim()))
      .pipe(z.array(z.enum(cardBrands, { error: `must name cards of ${cardBrands.join(', ')}` })))
      .optional(),
    ...providerVariables,
    REFUND_MANAGER_ABOVE: z
      .string()
      .default('200.00')
      .transform((text, context) => {
        const money = parseMoney(text);
        if (money) return money;
        context.addIssue({ code: 'custom', message: 'must be an amount in USD, like 200.00' });
        return z.NEVER;
      }),
    ONE_ADMINISTRATOR_SETS_PRICES: yesOrNo,
    METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
    LOG_LEVEL: z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
        error: 'must be fatal, error, warn, info, debug, trace or silent',
      })
      .default('info'),
    MAINTENANCE: yesOrNo,
    TRUST_PROXY: yesOrNo,
    GATEWAY_PROCESSING_MS: wholeNumber(0, 60_000).prefault('3000'),
  })
  .superRefine((env, context) => {
    if (env.DATABASE_READ_URL && !env.DATABASE_URL) {
      const message = 'is needed together with DATABASE_READ_URL: the built-in one has no replica';
      context.addIssue({ code: 'custom', path: ['DATABASE_URL'], message });
    }
    for (const { name, message } of [...filesMistakes(env), ...singleSignOnMistakes(env)]) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
    for (const group of groups) {
      const missing = group.filter((name) => env[name] === undefined);
      if (missing.length === 0 || missing.length === group.length) continue;
      for (const name of missing) {
        const present = group.filter((other) => env[other] !== undefined).join(', ');
        context.addIssue({
          code: 'custom',
          path: [name],
          message: `is needed together with ${present}`,
        });
      }
    }
  });

type Environment = z.infer<typeof environment>;

type Given = ProvidersGiven & {
  PUBLIC_URL?: string;
  MAIL_URL?: string;
  MAIL_FROM?: string;
  DATABASE_URL?: string;
  DATABASE_READ_URL?: string;
  DATABASE_WITHOUT_TLS?: string | boolean;
  FILES_URL?: string;
  FILES_WITHOUT_TLS?: string | boolean;
  SECRETS?: string | readonly string[];
  ENCRYPTION_KEYS?: string | readonly { id: string; key: Uint8Array }[];
  LOOKUP_KEY?: string | readonly Uint8Array[];
  METRICS_TOKEN?: string;
  ADMIN_PASSWORD?: string;
  STAFF_SSO_ISSUER?: string;
  STAFF_SSO_CLIENT_SECRET?: string;
  AUTHORITIES_CHARGE?: string;
};

/**
 * Bits that a signing secret must be able to hold, and bits of one that only gives access to the metrics. The estimate
 * of 32 hexadecimal characters that chance draws falls below 88 once in a million draws, so 80 refuses none of them.
 */
export const SECRET_BITS = 80;
const TOKEN_BITS = 56;

/** What live mode asks for beyond well-formed variables. Pure: looks only at what is given. */
export function liveMistakes(given: Given): string[] {
  const mistakes: string[] = [];
  const refuse = (when: boolean, mistake: string) => {
    if (when) mistakes.push(`${mistake} (MODE=live)`);
  };
  refuse(!given.PUBLIC_URL?.startsWith('https:'), 'PUBLIC_URL: must begin with https://');
  refuse(!given.MAIL_URL, 'MAIL_URL: must name a mail server');
  refuse(
    !given.AUTHORITIES_CHARGE,
    'AUTHORITIES_CHARGE: must say whether what the Turkish authorities charge is included or not_included',
  );
  for (const mistake of providerLiveMistakes(given)) refuse(true, mistake);
  for (const mistake of transportMistakes(given)) refuse(true, mistake);
  for (const mistake of filesLiveMistakes(given)) refuse(true, mistake);
  for (const mistake of singleSignOnLiveMistakes(given)) refuse(true, mistake);
  for (const mistake of secretMistakes(given)) refuse(true, mistake);
  return mistakes;
}

/** One mistake for each secret at most: the first that is wrong with it. */
function secretMistakes(given: Given): string[] {
  const secrets = secretsOf(given);
  const keys = keysOf(given);
  const lookups = lookupsOf(given);
  const { METRICS_TOKEN: token } = given;
  const checks: [boolean, string][] = [
    [lookups.length === 0, 'LOOKUP_KEY: must be set to 32 random bytes in base64'],
    [
      lookups.some((key) => !isRandomKey(key)),
      'LOOKUP_KEY: is not random; make one with openssl rand -base64 32',
    ],
    [
      secrets.length === 0 || secrets.some(isMarked),
      'SECRETS: must be set to secrets of your own, not generated test ones',
    ],
    [
      secrets.some((secret) => estimateBits(secret) < SECRET_BITS),
      'SECRETS: one can be guessed; make each with openssl rand -base64 32',
    ],
    [
      keys.length === 0 || keys.some(({ id }) => id.startsWith(TEST_MARK)),
      'ENCRYPTION_KEYS: must be set to keys of your own, not generated test ones',
    ],
    [
      keys.some(({ key }) => key.length === 32 && !isRandomKey(key)),
      'ENCRYPTION_KEYS: one is not random; make each with openssl rand -base64 32',
    ],
    [
      token !== undefined && estimateBits(token) < TOKEN_BITS,
      'METRICS_TOKEN: can be guessed; make one with openssl rand -base64 24',
    ],
  ];
  const wrong = checks.filter(([when]) => when).map(([, mistake]) => mistake);
  const named = new Set<string>();
  const firsts = wrong.filter((mistake) => {
    const [name = ''] = mistake.split(':');
    return named.has(name) ? false : named.add(name);
  });
  return [...firsts, ...usedTwice(given)];
}

/** One key for two purposes: who learns it has both, and neither can be replaced alone. */
function usedTwice(given: Given): string[] {
  const uses: [name: string, values: string[]][] = [
    ['ENCRYPTION_KEYS', keysOf(given).map(({ key }) => hex(key))],
    ['LOOKUP_KEY', lookupsOf(given).map(hex)],
    ['SECRETS', secretsOf(given).flatMap(formsOf)],
    ['METRICS_TOKEN', formsOf(given.METRICS_TOKEN ?? '')],
    ['ADMIN_PASSWORD', formsOf(given.ADMIN_PASSWORD ?? '')],
    ['STAFF_SSO_CLIENT_SECRET', formsOf(given.STAFF_SSO_CLIENT_SECRET ?? '')],
  ];
  const seen = new Map<string, string>();
  const mistakes = new Set<string>();
  for (const [name, values] of uses) {
    for (const value of values.filter((one) => one !== '')) {
      const first = seen.get(value);
      if (first === name) mistakes.add(`${name}: holds the same one twice`);
      else if (first) mistakes.add(`${name}: is also used as ${first}; each needs its own`);
      else seen.set(value, name);
    }
  }
  return [...mistakes];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A secret as its own bytes, and as the bytes that it may encode. */
const formsOf = (secret: string): string[] => {
  if (secret === '') return [];
  const decoded = Buffer.from(secret, 'base64');
  return decoded.length === 32 ? [hex(decoded)] : [hex(Buffer.from(secret))];
};

const isMarked = (secret: string): boolean =>
  secret.startsWith(TEST_MARK) || /change-?me|example|demo/i.test(secret);

function secretsOf({ SECRETS }: Given): readonly string[] {
  if (!SECRETS) return [];
  return typeof SECRETS === 'string' ? SECRETS.split(',').map((part) => part.trim()) : SECRETS;
}

function keysOf({ ENCRYPTION_KEYS }: Given): readonly { id: string; key: Uint8Array }[] {
  if (!ENCRYPTION_KEYS) return [];
  if (typeof ENCRYPTION_KEYS !== 'string') return ENCRYPTION_KEYS;
  return ENCRYPTION_KEYS.split(',').map((part) => {
    const [id = '', text = ''] = part.trim().split(/:(.*)/s);
    return { id, key: Buffer.from(text, 'base64') };
  });
}

/** Those that are keys; what is none is refused as such. */
function lookupsOf({ LOOKUP_KEY = [] }: Given): readonly Uint8Array[] {
  const keys =
    typeof LOOKUP_KEY === 'string'
      ? LOOKUP_KEY.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
      : LOOKUP_KEY;
  return keys.filter(({ length }) => length === 32);
}

export { ConfigError } from './config-error.server.ts';

export type Operator = {
  legalName: string;
  address: string;
  taxNumber: string;
  supportEmail: string;
  supportPhone: string;
  /** Where the footer's contact leads (without it, to the support e-mail), live chat and help centre (without it, left out). */
  contactUrl?: string;
  liveChatUrl?: string;
  helpCentreUrl?: string;
  /** Said wherever prices are explained; live mode does not start without it. */
  authoritiesCharge?: AuthoritiesCharge;
  /** The logos in the footer: what the payment partners really take. */
  cards?: readonly CardBrand[];
};

/** Everything that is decided outside the program, read once before listening. */
export type Config = ReturnType<typeof assemble>;

type Variables = Record<string, string | undefined>;

/**
 * Reads the configuration from the environment.
 * @throws ConfigError whose message names every mistake (exit code 78).
 */
export function readConfig(variables: Variables): Config {
  const { env, mistakes } = read(variables);
  if (!env || mistakes.length > 0) throw new ConfigError(mistakes);
  return assemble(env);
}

/**
 * The configuration beside what live mode says against it, for those who look at what is not ready yet. Null where the
 * variables make none.
 */
export function inspectConfig(variables: Variables): { config: Config | null; mistakes: string[] } {
  const { env, mistakes } = read(variables);
  if (env?.MODE === 'live') {
    const { SECRETS, ENCRYPTION_KEYS, LOOKUP_KEY } = env;
    return { config: SECRETS && ENCRYPTION_KEYS && LOOKUP_KEY ? assemble(env) : null, mistakes };
  }
  if (!env || mistakes.length > 0) {
    return { config: null, mistakes: read({ ...variables, MODE: 'live' }).mistakes };
  }
  const config = assemble(env);
  return { config, mistakes: config.missingForLive };
}

function read(variables: Variables): { env: Environment | null; mistakes: string[] } {
  // `PORT=` in a compose file means "not set".
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(given);
  if (!parsed.success) {
    const mistakes = [...parsed.error.issues.map(describe), ...unparsedMistakes(given)];
    return { env: null, mistakes };
  }
  const env = parsed.data;
  const dataDir = needsDataDir(given) ? dataDirMistake(env.DATA_DIR) : undefined;
  const mistakes =
    env.MODE === 'live'
      ? [...liveMistakes(env), ...ownerMistakes(given)]
      : providerTestMistakes(env);
  return { env, mistakes: dataDir ? [dataDir, ...mistakes] : mistakes };
}

/** Whoever owns the tables can switch the audit trail's triggers off, so the service must not know how to become them. */
const ownerMistakes = ({ DATABASE_OWNER_PASSWORD }: Variables): string[] =>
  DATABASE_OWNER_PASSWORD
    ? [
        'DATABASE_OWNER_PASSWORD: is for migrations and restoring alone; keep it in .env.owner, which the service does not read (MODE=live)',
      ]
    : [];

/** Generated secrets, the embedded database, files and mail are what a process may write. */
const needsDataDir = ({ MODE, DATABASE_URL, FILES_URL, MAIL_URL }: Variables): boolean =>
  MODE !== 'live' || !DATABASE_URL || !FILES_URL || !MAIL_URL;

/** What else can be told about an environment that did not parse, so that one start shows all mistakes. */
function unparsedMistakes(given: Variables): string[] {
  const dataDir = needsDataDir(given) ? dataDirMistake(given.DATA_DIR ?? './var') : undefined;
  const live = given.MODE === 'live' ? [...liveMistakes(given), ...ownerMistakes(given)] : [];
  return dataDir ? [dataDir, ...live] : live;
}

function describe(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.') || 'environment'}: ${issue.message}`;
}

/** The configuration that the service works with, made of the variables. */
function assemble(env: Environment) {
  const secrets = env.MODE === 'test' ? testSecrets(env.DATA_DIR) : undefined;
  const url =
    env.PUBLIC_URL ?? `http://${env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST}:${env.PORT}`;
  const operator: Operator = {
    legalName: env.OPERATOR_LEGAL_NAME,
    address: env.OPERATOR_ADDRESS,
    taxNumber: env.OPERATOR_TAX_NUMBER,
    supportEmail: env.OPERATOR_SUPPORT_EMAIL,
    supportPhone: env.OPERATOR_SUPPORT_PHONE,
    contactUrl: env.OPERATOR_CONTACT_URL,
    liveChatUrl: env.OPERATOR_LIVE_CHAT_URL,
    helpCentreUrl: env.OPERATOR_HELP_CENTRE_URL,
    authoritiesCharge: env.AUTHORITIES_CHARGE,
    cards: env.CARD_BRANDS,
  };
  return {
    port: env.PORT,
    host: env.HOST,
    /** Origin by which the world reaches the service, without a trailing slash. */
    publicUrl: new URL(url).origin,
    mode: env.MODE,
    /** What live mode would refuse of these variables, one line each; empty in live mode. */
    missingForLive: env.MODE === 'live' ? [] : liveMistakes(env),
    dataDir: env.DATA_DIR,
    /** How many processes answer requests and work on jobs; more than one run under a parent. */
    processes: processesOf(env),
    /** How long a process that ends says that it is not ready, and still takes requests, in milliseconds. */
    drainGraceMs: env.DRAIN_GRACE_MS ?? (env.MODE === 'live' ? LIVE_GRACE_MS : 0),
    databaseUrl: env.DATABASE_URL,
    /** A replica for what may be some seconds old. */
    databaseReadUrl: env.DATABASE_READ_URL,
    /** Connections for requests, at most. */
    databasePoolSize: env.DATABASE_POOL_SIZE,
    /** Connections for jobs, at most, beside those for requests. */
    databaseJobsPoolSize: env.DATABASE_JOBS_POOL_SIZE,
    /** How much is worked on at a time: see `workBounds`. */
    work: {
      /** Pages and calls that only read. */
      readsAtOnce: env.READS_AT_ONCE,
      /** Changes of one kind. */
      atOnce: env.WORK_AT_ONCE,
      /** Of one kind that wait for one of those to end. */
      waiting: env.WORK_WAITING,
      /** How long they wait at most, in milliseconds. */
      waitMs: env.WORK_WAIT_MS,
      /** How late the event loop may be, in milliseconds, before nobody waits. */
      latestMs: env.EVENT_LOOP_DELAY_MS,
    },
    /** How long a request waits for a connection, in milliseconds. */
    databaseWaitMs: env.DATABASE_WAIT_MS,
    /** Absent where files stay under `dataDir`. */
    s3: s3Config(env),
    /** Public keys for which backups are encrypted, with commas between them; the private ones are kept elsewhere. */
    backupRecipient: env.BACKUP_RECIPIENT,
    mailUrl: env.MAIL_URL,
    mailFrom: env.MAIL_FROM,
    /**
     * The name in the DNS of the key with which the mail server signs (the DKIM selector); only checked, never used.
     */
    dkimSelector: env.MAIL_DKIM_SELECTOR,
    /** Absent where travellers' answers are not read. */
    mailbox: mailboxConfig(env),
    /** Who is told of what goes wrong and of the week; absent: the administrators. */
    alertEmail: env.ALERT_EMAIL,
    operator: env.MODE === 'test' ? withSamples(operator) : operator,
    adminEmail: env.ADMIN_EMAIL,
    adminPassword: env.ADMIN_PASSWORD,
    /** The identity provider by which staff sign in; absent where they have passwords only. */
    singleSignOn: singleSignOnConfig(env),
    /** Whose passwords are taken, by e-mail address in lower case. */
    passwordAccounts: env.STAFF_PASSWORD_SIGN_IN,
    /** Newest first: the first signs, all are accepted. */
    signingSecrets: env.SECRETS ?? need(secrets, (made) => [made.signing]),
    /** Newest first: the first seals, all unseal. */
    encryptionKeys:
      env.ENCRYPTION_KEYS ??
      need(secrets, (made) => [{ id: made.dataKey.id, key: bytes(made.dataKey.key) }]),
    /** 32 bytes each, newest first: all stand behind look-ups by keyed hash. Adding one takes `npm run lale -- rehash`. */
    lookupKeys: env.LOOKUP_KEY ?? need(secrets, (made) => [bytes(made.lookupKey)]),
    /** By name; in test mode a simulated one stands in for each that is not configured. */
    providers: providerConfigs(env),
    /** Which of the two that take cards is offered for it. */
    cardPartner: readCardPartner(env),
    /** Both sides of the simulated gateway; absent in live mode. */
    simulator: secrets && { merchant: secrets.merchant, provider: secrets.provider },
    /** What staff below a manager may refund of one order; more waits for a manager. */
    refundManagerAbove: env.REFUND_MANAGER_ABOVE,
    /** Whether the only administrator may change prices alone; otherwise a second one confirms. */
    oneAdministratorSetsPrices: env.ONE_ADMINISTRATOR_SETS_PRICES,
    metricsToken: env.METRICS_TOKEN,
    logLevel: env.LOG_LEVEL,
    /** Maintenance mode: every page and call answers 503; only health checks go on. */
    maintenance: env.MAINTENANCE,
    /** Whether a reverse proxy stands in front, whose `X-Forwarded-For` is believed. */
    trustProxy: env.TRUST_PROXY,
    /** How long the simulated gateway shows "Processing", in milliseconds. */
    timings: { gatewayProcessingMs: env.GATEWAY_PROCESSING_MS },
  };
}

/** Longer than proxies usually take to ask `/readyz` twice. */
const LIVE_GRACE_MS = 5000;

/** In live mode one process for each processor of the container or the machine; in test mode one. */
function processesOf({ PROCESSES: asked, MODE }: Environment): number {
  if (typeof asked === 'number') return asked;
  return asked === 'auto' || MODE === 'live' ? availableParallelism() : 1;
}

/** Live mode has been refused before this without the variables, so the secrets exist where needed. */
function need<T>(secrets: TestSecrets | undefined, pick: (secrets: TestSecrets) => T): T {
  if (!secrets)
    throw new Error(`A secret is missing; generated ones (${TEST_MARK}…) are for test mode`);
  return pick(secrets);
}

function bytes(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}
