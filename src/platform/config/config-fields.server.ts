import { createPrivateKey, createPublicKey } from 'node:crypto';
import { z } from 'zod';

/** An address with one of these protocols, like `https:`. */
export const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that begins with ${protocols.map(beginning).join(' or ')}`,
  });

const beginning = (protocol: string) => (protocol === 'mailto:' ? protocol : `${protocol}//`);

export const yesOrNo = z
  .enum(['yes', 'no'], { error: 'must be yes or no' })
  .default('no')
  .transform((answer) => answer === 'yes');

export const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `must be a whole number from ${from} to ${to}`, abort: true })
    .transform(Number)
    .refine((value) => value >= from && value <= to, {
      error: `must be a whole number from ${from} to ${to}`,
    });

/** PEM in a variable: real line breaks or `\n`. */
const pemText = z.string().transform((value) => value.replaceAll('\\n', '\n'));

export const privateKey = pemText.refine((value) => isKey(() => createPrivateKey(value)), {
  error: 'must be a private key in PEM form',
});

const BLOCK = /-----BEGIN [A-Z ]+-----[\s\S]+?-----END [A-Z ]+-----/g;

/** One public key or several, one PEM block after the other. */
export const publicKeys = pemText
  .transform((value) => value.match(BLOCK) ?? [])
  .refine((keys) => keys.length > 0 && keys.every((key) => isKey(() => createPublicKey(key))), {
    error: 'must be public keys in PEM form, one after the other',
  })
  .transform((keys): readonly string[] => keys);

function isKey(read: () => unknown): boolean {
  try {
    return Boolean(read());
  } catch {
    return false;
  }
}
