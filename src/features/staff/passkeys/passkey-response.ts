import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod/mini';

const LONGEST_RESPONSE = 20_000;
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
  if (text.length > LONGEST_RESPONSE) return null;
  try {
    const parsed = shape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
