import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod/mini';

const MAX_PASSKEY_NAME_LENGTH = 60;

/** What its owner calls a passkey, as it is stored; empty for nothing. */
export const passkeyName = (typed: string): string =>
  typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_PASSKEY_NAME_LENGTH).trim();

const MAX_RESPONSE_LENGTH = 20_000;
const shape = z.looseObject({
  id: z.string().check(z.maxLength(2000)),
  rawId: z.string(),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string() }),
});

/** A new passkey, as far as the form of the answer goes; the library checks the rest. Null for anything else. */
export const readMadePasskey = (text: string) =>
  readAnswer(text) as RegistrationResponseJSON | null;

/** The same of a passkey that was shown. */
export const readShownPasskey = (text: string) =>
  readAnswer(text) as AuthenticationResponseJSON | null;

function readAnswer(text: string): unknown {
  if (text.length > MAX_RESPONSE_LENGTH) return null;
  try {
    const parsed = shape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
