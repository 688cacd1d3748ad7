import { isEmailAddress } from '~/base/email-address.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Config, Operator } from '~/platform/config/config.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { valuesInForce, type Settings } from './change.ts';
import { currentSettings } from './store.server.ts';

/** The operator's details; the last three are addresses that may be left out. */
export const operatorFields = [
  'legalName',
  'address',
  'taxNumber',
  'supportEmail',
  'supportPhone',
  'contactUrl',
  'liveChatUrl',
  'helpCentreUrl',
] as const satisfies readonly (keyof Operator)[];
export type OperatorField = (typeof operatorFields)[number];

/** The operator at a moment: the settings override the configuration. */
export function operatorInForce(
  { operator }: Pick<Config, 'operator'>,
  settings: Settings,
  at: Date,
): Operator {
  const decided = valuesInForce(settings, 'operator', at);
  const known = operatorFields.flatMap((field) => {
    const value = decided[field];
    // A removed address falls back to email in the footer.
    return typeof value === 'string' ? [[field, value === '' ? undefined : value] as const] : [];
  });
  return { ...operator, ...Object.fromEntries(known) };
}

export const currentOperator = async ({
  db,
  config,
  now,
}: Pick<Platform, 'db' | 'config' | 'now'>): Promise<Operator> =>
  operatorInForce(config, await currentSettings(db), now());

const OPERATED = Symbol('the operator of now');

/** A platform whose configuration has the operator's current details; only `withOperator` makes one. */
export type OperatedPlatform<P extends Pick<Platform, 'config'> = Pick<Platform, 'config'>> = P & {
  readonly [OPERATED]: true;
  /** The settings that the details were read from. */
  readonly settings: Settings;
};

/**
 * The platform with the operator's current details. Code that shows or writes these takes an `OperatedPlatform`, so that it
 * cannot use the details in the configuration by mistake.
 */
export async function withOperator<P extends Pick<Platform, 'db' | 'config' | 'now'>>(
  platform: P,
): Promise<OperatedPlatform<P>> {
  const settings = await currentSettings(platform.db);
  const operator = operatorInForce(platform.config, settings, platform.now());
  return { ...platform, settings, config: { ...platform.config, operator }, [OPERATED]: true };
}

/** The details that the law requires, with the environment variable of each. */
const required = {
  legalName: 'OPERATOR_LEGAL_NAME',
  address: 'OPERATOR_ADDRESS',
  taxNumber: 'OPERATOR_TAX_NUMBER',
  supportEmail: 'OPERATOR_SUPPORT_EMAIL',
  supportPhone: 'OPERATOR_SUPPORT_PHONE',
} as const satisfies Partial<Record<keyof Operator, string>>;

const isPlaceholder = (text: string): boolean => /^\s*(\[.*\])?\s*$/.test(text);

/** The missing details, one line each. */
export function operatorMistakes(operator: Operator): string[] {
  const fields = Object.entries(required).flatMap(([field, variable]) => {
    const value = field in operator ? String(Reflect.get(operator, field)) : '';
    return isPlaceholder(value)
      ? [
          `${variable}: travellers would read a placeholder; set it, or keep it at the desk (MODE=live)`,
        ]
      : [];
  });
  const isAddress = isEmailAddress(operator.supportEmail);
  return isPlaceholder(operator.supportEmail) || isAddress
    ? fields
    : [...fields, 'OPERATOR_SUPPORT_EMAIL: must be an e-mail address (MODE=live)'];
}

/**
 * In live mode the operator must be named, in the desk's settings or the environment. A missing detail that only the
 * operator sees is a warning.
 * @throws ConfigError that names every missing detail.
 */
export async function requireRealOperator(
  platform: Pick<Platform, 'db' | 'config' | 'now' | 'log'>,
): Promise<void> {
  const { config, log } = platform;
  if (config.mode !== 'live') return;
  const mistakes = operatorMistakes(await currentOperator(platform));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  if (!config.databaseUrl) {
    log.warn('live mode on the embedded database: one machine, backups are yours');
  }
}
