import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const keyPair = z.object({ privateKey: z.string(), publicKey: z.string() });

const secretsFile = z.object({
  signing: z.string(),
  dataKey: z.object({ id: z.string(), key: z.string() }),
  lookupKey: z.string(),
  merchant: keyPair,
  provider: keyPair,
});

/** Secrets of a test installation: made once, kept beside its data, refused in live mode. */
export type TestSecrets = z.infer<typeof secretsFile>;

/** Every generated secret begins with this, so that live mode can tell it from a real one. */
export const TEST_MARK = 'test-';

/** Reads `secrets.json` of a data folder, or makes it (mode 0600) when there is none. */
export function testSecrets(dataDir: string): TestSecrets {
  const path = join(dataDir, 'secrets.json');
  const known = read(path);
  if (known) return known;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${JSON.stringify(generate(), null, 2)}\n`, { mode: 0o600, flush: true });
  try {
    // A link, not a rename: of two processes that start at once, the second must not replace the first's keys.
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const made = read(path);
  if (!made) throw new Error(`${path} vanished while starting`);
  return made;
}

function read(path: string): TestSecrets | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  return secretsFile.parse(JSON.parse(text));
}

function generate(): TestSecrets {
  return {
    signing: TEST_MARK + randomBytes(32).toString('base64url'),
    dataKey: { id: `${TEST_MARK}1`, key: randomBytes(32).toString('base64') },
    lookupKey: randomBytes(32).toString('base64'),
    merchant: rsaPair(),
    provider: rsaPair(),
  };
}

function rsaPair() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
