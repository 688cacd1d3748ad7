import { authoritiesCharges, cardBrands } from './sample-operator.ts';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseMoney } from '~/base/money.ts';
import { url, wholeNumber, yesOrNo } from './config-fields.server.ts';
import { filesMistakes, filesVariables, s3CredentialsGroup } from './config-files.server.ts';
import { addressMistake } from './database-address.ts';
import {
  singleSignOnGroup,
  singleSignOnMistakes,
  singleSignOnVariables,
} from './config-single-sign-on.server.ts';
import { providerGroups, providerVariables } from './config-providers.server.ts';

/** Optional groups: naming one variable asks for the others. */
const groups = [
  ...providerGroups,
  s3CredentialsGroup,
  singleSignOnGroup,
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
    OPERATOR_LIVE_CHAT_URL: url('https:', 'mailto:').optional(),
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

export type Environment = z.infer<typeof environment>;
