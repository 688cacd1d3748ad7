import { isEmailAddress } from '~/base/email-address.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Operator } from '~/platform/config/config.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { operatorNow } from './operator.server.ts';

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
  const mistakes = operatorMistakes(await operatorNow(platform));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  if (!config.databaseUrl) {
    log.warn('live mode on the embedded database: one machine, backups are yours');
  }
}
