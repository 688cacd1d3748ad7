import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isFromStripe, TOLERANCE_SECONDS } from './stripe-client.server.ts';

const now = new Date('2026-11-23T10:00:00Z');
const seconds = now.getTime() / 1000;
const body = Buffer.from('{"id":"evt_1","type":"charge.refunded"}');
const mac = (secret: string, at = seconds, text = body) =>
  createHmac('sha256', secret).update(`${at}.${text.toString()}`).digest('hex');

const holds = (header: string | null, { secrets = ['whsec_new'], text = body } = {}) =>
  isFromStripe(
    {
      headers: new Headers(header === null ? {} : { 'stripe-signature': header }),
      body: text,
      mayFetch: async () => true,
    },
    secrets,
    now,
  );

describe('a signature of Stripe', () => {
  it('holds over the exact body and its time', () => {
    expect(holds(`t=${seconds},v1=${mac('whsec_new')}`)).toBe(true);
    expect(holds(`t=${seconds},v1=${mac('whsec_new')}`, { text: Buffer.from('{}') })).toBe(false);
    expect(holds(`t=${seconds + 1},v1=${mac('whsec_new')}`)).toBe(false);
  });

  it('holds while a secret is rolled, on either side', () => {
    const both = `t=${seconds},v1=${mac('whsec_old')},v1=${mac('whsec_new')}`;
    expect(holds(both)).toBe(true);
    expect(holds(both, { secrets: ['whsec_old'] })).toBe(true);
    const old = `t=${seconds},v1=${mac('whsec_old')}`;
    expect(holds(old, { secrets: ['whsec_new', 'whsec_old'] })).toBe(true);
    expect(holds(old)).toBe(false);
  });

  it.each([
    ['within the tolerance', TOLERANCE_SECONDS, true],
    ['beyond it', TOLERANCE_SECONDS + 1, false],
  ])('may be old or ahead %s', (_, off, expected) => {
    for (const at of [seconds - off, seconds + off]) {
      expect(holds(`t=${at},v1=${mac('whsec_new', at)}`)).toBe(expected);
    }
  });

  it.each([
    ['no header', null],
    ['nothing', ''],
    ['no time', `v1=${mac('whsec_new')}`],
    ['no signature', `t=${seconds}`],
    ['another scheme', `t=${seconds},v0=${mac('whsec_new')}`],
    ['half a signature', `t=${seconds},v1=${mac('whsec_new').slice(0, 32)}`],
    ['a time that is no number', `t=now,v1=${mac('whsec_new')}`],
  ])('does not hold with %s', (_, header) => {
    expect(holds(header)).toBe(false);
  });

  it('does not hold without a secret', () => {
    expect(holds(`t=${seconds},v1=${mac('')}`, { secrets: [] })).toBe(false);
  });
});
