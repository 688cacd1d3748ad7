import { Readable, pipeline as connect, Transform } from 'node:stream';
import { text, buffer } from 'node:stream/consumers';
import { timingSafeEqual, createHash } from 'node:crypto';
import { z } from 'zod';
import type { Sealer } from '../crypto/seal.server.ts';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { makeEncrypter } from './backup-keys.server.ts';
import { extract, pack, type Pack } from 'tar-stream';
import type { FileStore } from '../files/file-store.server.ts';
import { isFileId } from '../files/files.server.ts';

/** A backup that is not whole, was changed, or does not belong to what it is to be restored into. For people, in one sentence. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** One encrypted file of a backup: its name in the folder, its size and the SHA-256 of its encrypted bytes. */
type BackupPart = { file: string; bytes: number; sha256: string };

/** Sealed columns and files do not get smaller by more effort. */
const COMPRESSION = { level: 1 };

/**
 * Writes one part as a stream: gzip where its name says so (`….gz.age`), then the age format
 * (https://age-encryption.org/v1) for recipients with commas between them. `age --decrypt --identity <file>` and gunzip open it too.
 */
export async function writePart(
  { folder, recipient }: { folder: string; recipient: string },
  file: string,
  plain: Readable,
): Promise<BackupPart> {
  const encrypter = makeEncrypter(recipient);
  const packed = isCompressed(file) ? connected(plain, createGzip(COMPRESSION)) : plain;
  const encrypted = await encrypter.encrypt(webStream(packed));
  const meter = new Meter();
  const target = createWriteStream(join(folder, file), { mode: 0o600, flags: 'wx', flush: true });
  await pipeline(chunksOf(encrypted), meter, target);
  return { file, ...meter.found };
}

/**
 * The plain bytes of a part. The stream fails where the bytes are not those that the manifest names.
 * @throws the system's error where there is no such file.
 * @throws BackupError where the identity is not the one that the part was encrypted for.
 */
export async function readPart(
  { folder, identity }: { folder: string; identity: string },
  { file, sha256 }: Pick<BackupPart, 'file'> & Partial<BackupPart>,
): Promise<Readable> {
  const meter = new Meter((found) => {
    if (sha256 !== undefined && found.sha256 !== sha256) throw changed(file);
  });
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const source = connected(createReadStream(join(folder, file)), meter);
  const plain = await decrypter.decrypt(webStream(source)).catch((error: unknown) => {
    source.destroy();
    if (error instanceof Error && 'code' in error) throw error;
    const isKnown = error instanceof Error && /no identity matched/i.test(error.message);
    throw isKnown
      ? new BackupError(`${file} was not encrypted for the key in BACKUP_IDENTITY_FILE`)
      : changed(file, error);
  });
  const opened = Readable.from(chunksOf(plain), { objectMode: false });
  return isCompressed(file) ? connected(opened, createGunzip()) : opened;
}

/**
 * Reads a part without opening it.
 * @throws BackupError where it is missing, cut short or changed.
 */
export async function checkPart(
  folder: string,
  { file, bytes, sha256 }: BackupPart,
): Promise<void> {
  const path = join(folder, file);
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) throw new BackupError(`${file} is missing in ${folder}`);
  if (size !== bytes) throw new BackupError(`${file} has ${size} bytes instead of ${bytes}`);
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('hex') !== sha256) throw changed(file);
}

const changed = (file: string, cause?: unknown): BackupError =>
  Object.assign(new BackupError(`${file} was changed or cut short`), { cause });

const isCompressed = (file: string): boolean => file.endsWith('.gz.age');

/** What leaves the second; it fails where the first does. */
function connected<T extends Transform>(source: Readable, through: T): T {
  connect(source, through, () => undefined);
  return through;
}

/** Node's own conversions have other types than the streams that age takes. */
function webStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array, undefined> = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void source.destroy(),
  });
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Nothing where all was read.
    await reader.cancel();
  }
}

/** Counts and hashes what passes. */
class Meter extends Transform {
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #sha256 = '';
  readonly #check: ((found: Omit<BackupPart, 'file'>) => void) | undefined;

  constructor(check?: (found: Omit<BackupPart, 'file'>) => void) {
    super();
    this.#check = check;
  }

  /** Once everything has passed. */
  get found(): Omit<BackupPart, 'file'> {
    return { bytes: this.#bytes, sha256: this.#sha256 };
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, data: Buffer) => void) {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    done(null, chunk);
  }

  override _flush(done: (error?: Error | null) => void): void {
    this.#sha256 = this.#hash.digest('hex');
    try {
      this.#check?.(this.found);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

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

/** Files in memory at a time. */
const AT_ONCE = 4;

type PackedFiles = { count: number; bytes: number; absent: string[] };

/** Sealed files as one tar archive, named by their ids. `packed` counts, and names what the store does not have. */
export function packFiles(
  store: Pick<FileStore, 'read'>,
  ids: AsyncIterable<string>,
): { archive: Readable; packed: PackedFiles } {
  const packed: PackedFiles = { count: 0, bytes: 0, absent: [] };
  const archive = pack();
  const fill = async () => {
    for await (const { id, sealed } of readAhead(store, ids)) {
      if (!sealed) {
        packed.absent.push(id);
        continue;
      }
      await addEntry(archive, id, sealed);
      packed.count += 1;
      packed.bytes += sealed.length;
    }
    archive.finalize();
  };
  fill().catch((error: unknown) => archive.destroy(asError(error)));
  return { archive: Readable.from(archive, { objectMode: false }), packed };
}

function addEntry(archive: Pack, name: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const entry = archive.entry({ name, size: bytes.length, mode: 0o600 }, (error) =>
      error ? reject(error) : resolve(),
    );
    entry.end(bytes);
  });
}

type Read = { id: string; sealed: Buffer | undefined };

/** In the order of the ids, a few read at a time. */
async function* readAhead(
  store: Pick<FileStore, 'read'>,
  ids: AsyncIterable<string>,
): AsyncGenerator<Read> {
  const running: Promise<Read>[] = [];
  for await (const id of ids) {
    const reading = store.read(id).then((sealed) => ({ id, sealed }));
    // Awaited below; one that fails meanwhile is not an unhandled rejection.
    reading.catch(() => undefined);
    running.push(reading);
    if (running.length < AT_ONCE) continue;
    const first = running.shift();
    if (first) yield await first;
  }
  for (const one of running) yield await one;
}

/**
 * Writes every file of an archive into a store.
 * @returns how many there were.
 * @throws BackupError where something else stands in it.
 */
export async function unpackFiles(
  archive: Readable,
  store: Pick<FileStore, 'write'>,
): Promise<number> {
  const entries = extract();
  archive.on('error', (error) => entries.destroy(error));
  archive.pipe(entries);
  let count = 0;
  let running: Promise<void>[] = [];
  try {
    for await (const entry of entries) {
      const { name } = entry.header;
      if (!isFileId(name)) throw new BackupError('The archive of files holds something else');
      const writing = store.write(name, await buffer(entry));
      writing.catch(() => undefined);
      running.push(writing);
      count += 1;
      if (running.length < AT_ONCE) continue;
      await Promise.all(running);
      running = [];
    }
    await Promise.all(running);
    return count;
  } catch (error) {
    archive.destroy();
    throw error;
  }
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
