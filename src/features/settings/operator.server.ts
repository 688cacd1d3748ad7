import type { Config, Operator } from '~/platform/config/config.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { valuesAt, type Settings } from './change.ts';
import { currentSettings } from './store.server.ts';

/** What is said of the operator; the last three are addresses that may be left out. */
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

/** Who runs the service at a moment: the settings, over the configuration that it was started with. */
export function operatorAt(
  { operator }: Pick<Config, 'operator'>,
  settings: Settings,
  at: Date,
): Operator {
  const decided = valuesAt(settings, 'operator', at);
  const known = operatorFields.flatMap((field) => {
    const value = decided[field];
    // An address that was taken away: the footer leads to an e-mail again.
    return typeof value === 'string' ? [[field, value === '' ? undefined : value] as const] : [];
  });
  return { ...operator, ...Object.fromEntries(known) };
}

export const operatorNow = async ({
  db,
  config,
  now,
}: Pick<Platform, 'db' | 'config' | 'now'>): Promise<Operator> =>
  operatorAt(config, await currentSettings(db), now());

const OPERATED = Symbol('the operator of now');

/** A platform whose configuration names the operator as the settings do now; `withOperator` alone makes one. */
export type Operated<P extends Pick<Platform, 'config'> = Pick<Platform, 'config'>> = P & {
  readonly [OPERATED]: true;
};

/**
 * The platform as the operator runs it now: what it says of the operator is what the settings say. Whatever is told in the
 * operator's name asks for an `Operated`, so that it cannot speak of who the service was started with.
 */
export async function withOperator<P extends Pick<Platform, 'db' | 'config' | 'now'>>(
  platform: P,
): Promise<Operated<P>> {
  const operator = await operatorNow(platform);
  return { ...platform, config: { ...platform.config, operator }, [OPERATED]: true };
}
