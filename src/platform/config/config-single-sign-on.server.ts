import { z } from 'zod';
import { staffRoles, type StaffRole } from '~/base/staff-roles.ts';
import { isSafe } from './config-providers.server.ts';
import { url } from './config-fields.server.ts';

/** Sign-in of staff by an identity provider that speaks OpenID Connect. */
export type SingleSignOnConfig = {
  /** As the provider writes it in its own metadata. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What staff call the provider; the button says "Sign in with …". */
  name: string;
  scope: string;
  /** The claim that holds the person's groups or roles: its name, or a path with dots. */
  roleClaim: string;
  /** Which value of that claim stands for which role here. */
  roles: readonly { value: string; role: StaffRole }[];
  /** Values of `amr` and `acr` that tell of a second factor; both empty where the provider's does not count. */
  secondFactor: { amr: readonly string[]; acr: readonly string[] };
};

/** Naming one of these asks for the others. */
export const singleSignOnGroup = [
  'STAFF_SSO_ISSUER',
  'STAFF_SSO_CLIENT_ID',
  'STAFF_SSO_CLIENT_SECRET',
  'STAFF_SSO_ROLES',
] as const;

const isRole = (name: string): name is StaffRole => staffRoles.some((role) => role === name);

/** `Lale Administrators=administrator; …`: values may hold commas and equals signs, as names in a directory do. */
const roleMapping = z.string().transform((text, context) => {
  const pairs = text.split(';').flatMap((part) => {
    const at = part.lastIndexOf('=');
    const [value, role] = [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    return at > 0 && value !== '' && isRole(role) ? [{ value, role }] : [];
  });
  const parts = text.split(';').filter((part) => part.trim() !== '');
  if (pairs.length === parts.length && pairs.length > 0) return pairs;
  const names = staffRoles.join(', ');
  const message = `must be value=role pairs with semicolons between them; the roles are ${names}`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const values = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .optional();

/** `all`, `none`, or the only addresses that may. */
const passwordAccounts = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .transform((text, context): 'all' | readonly string[] => {
    if (text === 'all') return 'all';
    if (text === 'none') return [];
    const addresses = text.split(/[\s,]+/).filter((part) => part !== '');
    if (addresses.every((address) => z.email().safeParse(address).success)) return addresses;
    const message = 'must be all, none, or e-mail addresses of accounts with commas between them';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const singleSignOnVariables = {
  STAFF_SSO_ISSUER: url('http:', 'https:').optional(),
  STAFF_SSO_CLIENT_ID: z.string().optional(),
  STAFF_SSO_CLIENT_SECRET: z.string().optional(),
  STAFF_SSO_NAME: z.string().max(40, { error: 'must have at most 40 characters' }).default('SSO'),
  STAFF_SSO_SCOPE: z
    .string()
    .refine((text) => text.split(/\s+/).includes('openid'), { error: 'must contain openid' })
    .default('openid email profile'),
  STAFF_SSO_ROLE_CLAIM: z.string().default('roles'),
  STAFF_SSO_ROLES: roleMapping.optional(),
  STAFF_SSO_SECOND_FACTOR_AMR: values,
  STAFF_SSO_SECOND_FACTOR_ACR: values,
  STAFF_PASSWORD_SIGN_IN: passwordAccounts.prefault('all'),
};

const variables = z.object(singleSignOnVariables);

/** Undefined where staff sign in with passwords only. */
export function singleSignOnConfig(env: z.infer<typeof variables>): SingleSignOnConfig | undefined {
  if (!env.STAFF_SSO_ISSUER) return undefined;
  return {
    issuer: env.STAFF_SSO_ISSUER,
    clientId: env.STAFF_SSO_CLIENT_ID ?? '',
    clientSecret: env.STAFF_SSO_CLIENT_SECRET ?? '',
    name: env.STAFF_SSO_NAME,
    scope: env.STAFF_SSO_SCOPE,
    roleClaim: env.STAFF_SSO_ROLE_CLAIM,
    roles: env.STAFF_SSO_ROLES ?? [],
    secondFactor: {
      amr: env.STAFF_SSO_SECOND_FACTOR_AMR ?? [],
      acr: env.STAFF_SSO_SECOND_FACTOR_ACR ?? [],
    },
  };
}

/** What cannot be meant: passwords switched off without anything in their place. */
export const singleSignOnMistakes = (
  env: z.infer<typeof variables>,
): { name: 'STAFF_PASSWORD_SIGN_IN'; message: string }[] =>
  env.STAFF_PASSWORD_SIGN_IN !== 'all' && !env.STAFF_SSO_ISSUER
    ? [
        {
          name: 'STAFF_PASSWORD_SIGN_IN',
          message: 'must stay all without STAFF_SSO_ISSUER: nobody else could sign in',
        },
      ]
    : [];

/** Live mode requires https: an attacker on a plain connection to the provider could sign in as any of the staff. */
export const singleSignOnLiveMistakes = ({
  STAFF_SSO_ISSUER: issuer,
}: {
  STAFF_SSO_ISSUER?: string;
}): string[] => (issuer && !isSafe(issuer) ? ['STAFF_SSO_ISSUER: must begin with https://'] : []);
