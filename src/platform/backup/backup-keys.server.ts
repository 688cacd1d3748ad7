import { readFile, writeFile } from 'node:fs/promises';
import { Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { ConfigError } from '../config/config-error.server.ts';

/**
 * Makes the key that opens backups and writes it to a new file, which only its owner may read.
 * @returns the recipient that belongs to it, which is no secret.
 * @throws ConfigError where there is such a file.
 */
export async function makeIdentity(file: string): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  try {
    await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new ConfigError([`${file} cannot be written (${codeOf(error)})`]);
  }
  return recipient;
}

/**
 * The key in the file that BACKUP_IDENTITY_FILE names, as `makeIdentity` or age-keygen wrote it.
 * @throws ConfigError
 */
export async function readIdentity(file: string | undefined): Promise<string> {
  if (!file) {
    throw new ConfigError(['BACKUP_IDENTITY_FILE: the file with the key of the backups is needed']);
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigError([`BACKUP_IDENTITY_FILE: ${file} cannot be read (${codeOf(error)})`]);
  });
  const identity = text
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line.startsWith('AGE-SECRET-KEY-'));
  if (!identity) throw new ConfigError([`BACKUP_IDENTITY_FILE: ${file} holds no age key`]);
  return identity;
}

/**
 * An encrypter for recipients with commas between them.
 * @throws ConfigError where one is none.
 */
export function makeEncrypter(recipients: string): Encrypter {
  const encrypter = new Encrypter();
  try {
    for (const one of recipients.split(',')) encrypter.addRecipient(one.trim());
  } catch {
    throw new ConfigError(['BACKUP_RECIPIENT: must be age recipients like age1…']);
  }
  return encrypter;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
