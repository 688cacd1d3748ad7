import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hashPassword,
  hashToken,
  makeSealer,
  makeSigner,
  randomToken,
  UnsealError,
  verifyPassword,
} from './crypto.server.ts';

const key = (id: string, byte: number) => ({ id, key: new Uint8Array(32).fill(byte) });
const lookup = new Uint8Array(32).fill(9);
const sealer = makeSealer({ data: [key('a', 1)], lookup });

describe('sealing', () => {
  test('whatever is sealed opens again with the same context', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plain, context) => {
        expect(new Uint8Array(sealer.unseal(sealer.seal(plain, context), context))).toEqual(plain);
      }),
    );
  });

  test('text and JSON come back as they were', () => {
    expect(sealer.unsealText(sealer.seal('Şükrü ÿ 你', 'a'), 'a')).toBe('Şükrü ÿ 你');
    expect(sealer.unsealJson(sealer.sealJson({ a: [1, null] }, 'a'), 'a')).toEqual({
      a: [1, null],
    });
  });

  test('equal texts are sealed differently', () => {
    expect(sealer.seal('x', 'a').equals(sealer.seal('x', 'a'))).toBe(false);
  });

  test('another context does not open it', () => {
    expect(() => sealer.unseal(sealer.seal('x', 'row:1'), 'row:2')).toThrow(UnsealError);
  });

  test('a single changed byte, wherever it is, is noticed', () => {
    const sealed = sealer.seal('U12345678', 'passport');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8((changed[at] ?? 0) ^ 1, at);
      expect(() => sealer.unseal(changed, 'passport'), `byte ${at}`).toThrow(UnsealError);
    }
  });

  test('cut short at any length it does not open', () => {
    const sealed = sealer.seal('U12345678', 'passport');
    for (let length = 0; length < sealed.length; length++) {
      expect(() => sealer.unseal(sealed.subarray(0, length), 'passport')).toThrow(UnsealError);
    }
  });

  test('after a rotation the new key seals and the old one still opens', () => {
    const old = sealer.seal('x', 'a');
    const rotated = makeSealer({ data: [key('b', 2), key('a', 1)], lookup });
    expect(rotated.unsealText(old, 'a')).toBe('x');
    expect(rotated.isStale(old)).toBe(true);
    const fresh = rotated.seal('x', 'a');
    expect(rotated.isStale(fresh)).toBe(false);
    expect(() => sealer.unseal(fresh, 'a')).toThrow(UnsealError);
    expect(rotated.keyedHash('x', 'p')).toEqual(sealer.keyedHash('x', 'p'));
  });

  test('a keyed hash depends on value, purpose and key', () => {
    const other = makeSealer({ data: [key('a', 1)], lookup: new Uint8Array(32).fill(8) });
    expect(sealer.keyedHash('x', 'p')).toEqual(sealer.keyedHash('x', 'p'));
    expect(sealer.keyedHash('x', 'p')).not.toEqual(sealer.keyedHash('y', 'p'));
    expect(sealer.keyedHash('x', 'p')).not.toEqual(sealer.keyedHash('x', 'q'));
    expect(sealer.keyedHash('x', 'p')).not.toEqual(other.keyedHash('x', 'p'));
  });
});

describe('signed tokens', () => {
  const signer = makeSigner(['first secret']);
  const now = new Date('2026-11-23T10:00:00Z');
  const later = new Date('2026-11-23T10:05:00Z');

  test('any payload comes back before the expiry, in url-safe letters', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (payload) => {
        const token = signer.sign(payload, 'link', later);
        expect(token).toMatch(/^[\w.-]+$/);
        expect(signer.verify(token, 'link', now)).toEqual({
          ok: true,
          payload: JSON.parse(JSON.stringify(payload)),
        });
      }),
    );
  });

  test('is refused from the expiry on', () => {
    const token = signer.sign({ id: 1 }, 'link', later);
    expect(signer.verify(token, 'link', later)).toEqual({ ok: false, reason: 'expired' });
  });

  test('is refused for another purpose', () => {
    const token = signer.sign({ id: 1 }, 'link', later);
    expect(signer.verify(token, 'session', now)).toEqual({ ok: false, reason: 'malformed' });
  });

  test('is refused with any letter changed, and as nonsense', () => {
    const token = signer.sign({ id: 1 }, 'link', later);
    for (let at = 0; at < token.length - 1; at++) {
      const letter = token[at] === 'A' ? 'B' : 'A';
      const changed = token.slice(0, at) + letter + token.slice(at + 1);
      expect(signer.verify(changed, 'link', now), changed).toEqual({
        ok: false,
        reason: 'malformed',
      });
    }
    for (const nonsense of ['', '.', '..', 'a.b.c', 'a.b.c.d', token + token]) {
      expect(signer.verify(nonsense, 'link', now)).toEqual({ ok: false, reason: 'malformed' });
    }
  });

  test('a rotated secret still verifies, a dropped one does not', () => {
    const token = signer.sign({ id: 1 }, 'link', later);
    expect(makeSigner(['second', 'first secret']).verify(token, 'link', now).ok).toBe(true);
    expect(makeSigner(['second']).verify(token, 'link', now).ok).toBe(false);
  });
});

describe('passwords', () => {
  test('the right one is accepted, whichever way its accents were typed', async () => {
    const stored = await hashPassword('caf\u00e9 correct horse');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword('cafe\u0301 correct horse', stored)).toBe(true);
    expect(await verifyPassword('cafe correct horse', stored)).toBe(false);
  });

  test('without an account, or with a damaged hash, the answer is no', async () => {
    expect(await verifyPassword('anything', undefined)).toBe(false);
    expect(await verifyPassword('anything', 'plain')).toBe(false);
  });

  test('equal passwords are stored differently', async () => {
    expect(await hashPassword('same password')).not.toBe(await hashPassword('same password'));
  });
});

test('random tokens have the bits asked for and do not repeat', () => {
  expect(Buffer.from(randomToken(128), 'base64url')).toHaveLength(16);
  expect(new Set(Array.from({ length: 1000 }, () => randomToken(128))).size).toBe(1000);
  expect(hashToken('a')).toHaveLength(32);
});
