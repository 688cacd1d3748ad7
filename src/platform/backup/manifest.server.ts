import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Sealer } from '../crypto/seal.server.ts';
import { BackupError } from './backup-error.server.ts';
import { readPart, writePart } from './part.server.ts';

const whole = z.int().min(0);
const part = z.object({
  file: z.string().regex(/^[\w.-]+$/),
  bytes: whole,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.object({
  format: z.literal(1),
  begunAt: z.iso.datetime(),
  schema: z.object({
    /** Hashes of our migrations, oldest first. */
    migrations: z.array(z.string()),
    /** The newest migration of the job queue. */
    queue: whole,
  }),
  /** Ids of the data keys that the service had, newest first. */
  dataKeys: z.array(z.string()),
  tables: z.array(
    z.object({
      schema: z.string(),
      name: z.string(),
      columns: z.array(z.string()),
      rows: whole,
      /** Equal for equal rows, in any order (`snapshot.server.ts`). */
      digest: z.string(),
      part,
    }),
  ),
  sequences: z.array(
    z.object({ schema: z.string(), name: z.string(), value: z.string(), isCalled: z.boolean() }),
  ),
  /** Sums of money and how many rows they are of, by table, currency and state; in minor units. */
  ledger: z.array(z.object({ name: z.string(), count: whole, minor: z.string() })),
  files: z.object({
    count: whole,
    bytes: whole,
    part,
    /** Rows of the snapshot name them, but they were deleted with their rows before they were copied. */
    deletedMeanwhile: z.array(z.string()),
    /** Rows name them, and the file store did not have them. */
    missing: z.array(z.string()),
  }),
});

/** What a backup holds. It is written last, so that a folder with one is complete. */
export type Manifest = z.infer<typeof manifest>;
export type TableContent = Manifest['tables'][number];
export type LedgerLine = Manifest['ledger'][number];

const FILE = 'manifest.age';
const envelope = z.object({ mac: z.string(), manifest: z.string() });

/**
 * Writes the manifest, with a keyed hash of it: anybody who knows the recipient can encrypt for it, only the service's
 * LOOKUP_KEY makes this hash.
 */
export async function writeManifest(
  place: { folder: string; recipient: string },
  content: Manifest,
  sealer: Pick<Sealer, 'keyedHash'>,
): Promise<number> {
  const json = JSON.stringify(content);
  const mac = macOf(json, sealer).toString('hex');
  const { bytes } = await writePart(
    place,
    FILE,
    Readable.from([Buffer.from(JSON.stringify({ mac, manifest: json }))]),
  );
  return bytes;
}

/**
 * Opens the manifest and checks who made it.
 * @throws BackupError
 */
export async function readManifest(
  place: { folder: string; identity: string },
  sealer: Pick<Sealer, 'keyedHash'>,
): Promise<Manifest> {
  let json: string;
  try {
    json = await text(await readPart(place, { file: FILE }));
  } catch (error) {
    if (error instanceof BackupError) throw error;
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new BackupError(
      isAbsent
        ? `${place.folder} has no ${FILE}: it is no backup, or one that was not finished`
        : `${FILE} was changed or cut short`,
      { cause: error },
    );
  }
  const { mac, manifest: inner } = envelope.parse(JSON.parse(json));
  const [given, expected] = [Buffer.from(mac, 'hex'), macOf(inner, sealer)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new BackupError(
      'The backup was not made with this LOOKUP_KEY (in test mode: this secrets.json of DATA_DIR), or its manifest was changed',
    );
  }
  return manifest.parse(JSON.parse(inner));
}

const macOf = (json: string, sealer: Pick<Sealer, 'keyedHash'>): Buffer =>
  sealer.keyedHash(json, 'backup.manifest');
