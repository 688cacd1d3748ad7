import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as connect, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { BackupError } from './backup-error.server.ts';
import { encrypterFor } from './backup-keys.server.ts';

/** One encrypted file of a backup: its name in the folder, its size and the SHA-256 of its encrypted bytes. */
export type Part = { file: string; bytes: number; sha256: string };

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
): Promise<Part> {
  const encrypter = encrypterFor(recipient);
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
  { file, sha256 }: Pick<Part, 'file'> & Partial<Part>,
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
export async function checkPart(folder: string, { file, bytes, sha256 }: Part): Promise<void> {
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
  readonly #check: ((found: Omit<Part, 'file'>) => void) | undefined;

  constructor(check?: (found: Omit<Part, 'file'>) => void) {
    super();
    this.#check = check;
  }

  /** Once everything has passed. */
  get found(): Omit<Part, 'file'> {
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
