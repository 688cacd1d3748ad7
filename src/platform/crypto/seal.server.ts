import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A data key: 32 bytes, named by an id that stands in front of everything sealed with it. */
export type DataKey = { id: string; key: Uint8Array };

export type SealingKeys = {
  /** Newest first: the first seals, all unseal. */
  data: readonly DataKey[];
  /** Newest first: all of them stand behind a keyed hash, the oldest innermost (`keyedHash`). */
  lookup: Uint8Array | readonly Uint8Array[];
};

/** Something sealed does not open: wrong context, changed bytes, or a key that is no longer configured. */
export class UnsealError extends Error {
  override name = 'UnsealError';
}

export type Sealer = {
  /** Seals bytes or text with the newest key. `context` says what it is (`table.column:id`) and must be given again to open it. */
  seal(plain: string | Uint8Array, context: string): Buffer;
  /** @throws UnsealError */
  unseal(sealed: Uint8Array, context: string): Buffer;
  /** @throws UnsealError */
  unsealText(sealed: Uint8Array, context: string): string;
  sealJson(value: unknown, context: string): Buffer;
  /** Parsed, not checked: the caller's schema does that. @throws UnsealError */
  unsealJson(sealed: Uint8Array, context: string): unknown;
  /** 32 bytes that are equal for equal values of one purpose, for looking sealed values up. */
  keyedHash(value: string | Uint8Array, purpose: string): Buffer;
  /** The same as it is now, and as it was before each newer look-up key was added; newest first. */
  keyedHashes(value: string | Uint8Array, purpose: string): [Buffer, ...Buffer[]];
  /** What a keyed hash becomes by the newest look-up key, of one that was made before that was added. */
  rehash(hash: Uint8Array): Buffer;
  /** Whether something was sealed with an older key and wants sealing again. */
  isStale(sealed: Uint8Array): boolean;
};

type PreparedKey = { id: string; key: KeyObject; head: Buffer };

/** AES-256-GCM. Layout: version (1 byte), key id length (1), key id, nonce (12), ciphertext, tag (16). */
export function makeSealer(keys: SealingKeys): Sealer {
  // Made once: of bytes, Node would make a key for every text.
  const prepared = keys.data.map(({ id, key }): PreparedKey => {
    return { id, key: createSecretKey(key), head: sealedHead(id) };
  });
  const [newest] = prepared;
  if (!newest) throw new Error('At least one data key is needed');
  const byId = new Map(prepared.map((key) => [key.id, key]));
  const [oldestLookup, ...laterLookups] = (
    keys.lookup instanceof Uint8Array ? [keys.lookup] : keys.lookup.toReversed()
  ).map((key) => createSecretKey(key));
  if (!oldestLookup) throw new Error('A look-up key is needed');
  const innermostKey = oldestLookup;
  const newestLookup = laterLookups.at(-1) ?? innermostKey;
  const { id: newestId, key: newestKey, head: newestHead } = newest;

  function seal(plain: string | Uint8Array, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', newestKey, nonce);
    cipher.setAAD(associated(newestHead, context));
    const text = typeof plain === 'string' ? Buffer.from(plain, 'utf8') : plain;
    const ciphertext = [cipher.update(text), cipher.final()];
    return Buffer.concat([newestHead, nonce, ...ciphertext, cipher.getAuthTag()]);
  }

  function unseal(sealed: Uint8Array, context: string): Buffer {
    const all = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const id = keyId(all);
    const key = id === undefined ? undefined : byId.get(id);
    if (id === undefined || !key)
      throw new UnsealError(`No data key ${JSON.stringify(id)} is configured`);
    const { head } = key;
    const body = head.length + NONCE_BYTES;
    if (all.length < body + TAG_BYTES) throw new UnsealError('Sealed bytes are cut short');
    const decipher = createDecipheriv('aes-256-gcm', key.key, all.subarray(head.length, body), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(associated(head, context));
    decipher.setAuthTag(all.subarray(all.length - TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(all.subarray(body, -TAG_BYTES)), decipher.final()]);
    } catch {
      throw new UnsealError(`Sealed bytes do not open as ${context}`);
    }
  }

  function keyedHashes(value: string | Uint8Array, purpose: string): [Buffer, ...Buffer[]] {
    const innermost = createHmac('sha256', innermostKey).update(`${purpose}\0`).update(value);
    const hashes: [Buffer, ...Buffer[]] = [innermost.digest()];
    for (const key of laterLookups) {
      hashes.unshift(createHmac('sha256', key).update(hashes[0]).digest());
    }
    return hashes;
  }

  return {
    seal,
    unseal,
    unsealText: (sealed, context) => unseal(sealed, context).toString('utf8'),
    sealJson: (value, context) => seal(JSON.stringify(value), context),
    unsealJson: (sealed, context): unknown => JSON.parse(unseal(sealed, context).toString('utf8')),
    keyedHash: (value, purpose) => keyedHashes(value, purpose)[0],
    keyedHashes,
    rehash: (hash) => createHmac('sha256', newestLookup).update(hash).digest(),
    isStale: (sealed) => keyId(Buffer.from(sealed)) !== newestId,
  };
}

/** The bytes at the beginning of everything that is sealed with the data key of this id. */
export function sealedHead(id: string): Buffer {
  const name = Buffer.from(id, 'utf8');
  return Buffer.concat([Buffer.from([VERSION, name.length]), name]);
}

function associated(head: Buffer, context: string): Buffer {
  return Buffer.concat([head, Buffer.from(context, 'utf8')]);
}

function keyId(sealed: Buffer): string | undefined {
  const length = sealed[1];
  if (sealed[0] !== VERSION || length === undefined || sealed.length < 2 + length) return undefined;
  return sealed.toString('utf8', 2, 2 + length);
}
