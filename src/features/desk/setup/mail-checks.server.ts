import { createPublicKey } from 'node:crypto';
import { reasonOf } from '~/base/error-reason.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { checked, record, variable, type Check, type CheckId } from './setup-check.ts';

/** What the DNS says of a sender, read as receivers of e-mails read it. */

type SpfRecord =
  | { kind: 'none' }
  /** RFC 7208, 4.5: more than one record is an error, and none counts. */
  | { kind: 'several'; total: number }
  | { kind: 'open'; record: string }
  | { kind: 'closed'; record: string };

/** SPF (RFC 7208) among the TXT records of the sender's domain. `closed`: everybody who is not named is refused. */
function readSpf(texts: readonly string[]): SpfRecord {
  const records = texts.filter((text) => /^v=spf1( |$)/i.test(text));
  const [record] = records;
  if (record === undefined) return { kind: 'none' };
  if (records.length > 1) return { kind: 'several', total: records.length };
  const terms = record.split(/ +/).slice(1);
  const all = terms.find((term) => /^[+?~-]?all$/i.test(term));
  // Without `all` a redirect decides (6.1).
  const isClosed = all ? /^[~-]/.test(all) : terms.some((term) => /^redirect=/i.test(term));
  return { kind: isClosed ? 'closed' : 'open', record };
}

/**
 * The key of DKIM (RFC 6376, 3.6.1) among the TXT records of `<selector>._domainkey.<domain>`, in base64; null without
 * one, and where it was revoked.
 */
function readDkim(texts: readonly string[]): string | null {
  for (const text of texts) {
    const tags = tagsOf(text);
    if (tags.has('v') && tags.get('v') !== 'DKIM1') continue;
    const key = tags.get('p')?.replaceAll(/\s/g, '');
    if (key !== undefined) return key === '' ? null : key;
  }
  return null;
}

const dmarcPolicies = ['none', 'quarantine', 'reject'] as const;
type DmarcPolicy = (typeof dmarcPolicies)[number];

/**
 * The policy of DMARC among the TXT records of `_dmarc.<domain>` (RFC 7489, 6.6.3). Null: there is none, and receivers look
 * at the domain above. `invalid`: several, or one whose `p` or `sp` is no policy; receivers look no further, and let everything in.
 * `isParent`: the records are of a domain above the sender's, whose `sp` then counts before its `p`.
 */
function readDmarc(
  texts: readonly string[],
  { isParent = false } = {},
): DmarcPolicy | 'invalid' | null {
  const records = texts.filter((text) => /^v=DMARC1\s*(;|$)/.test(text));
  const [record] = records;
  if (record === undefined) return null;
  if (records.length > 1) return 'invalid';
  const tags = tagsOf(record);
  const [own, below] = [tags.get('p'), tags.get('sp') ?? tags.get('p')].map((value) =>
    dmarcPolicies.find((policy) => policy === value?.toLowerCase()),
  );
  if (!own || !below) return 'invalid';
  return isParent ? below : own;
}

/** `a=b; c=d`, by name. */
function tagsOf(text: string): Map<string, string> {
  return new Map(
    text.split(';').flatMap((part) => {
      const [name = '', ...value] = part.split('=');
      return name.trim() === '' ? [] : [[name.trim().toLowerCase(), value.join('=').trim()]];
    }),
  );
}

/** A domain and those above it that somebody can own, nearest first: a.b.org, b.org. */
function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** The domain of a sender: `Name <name@example.org>` or `name@example.org`. */
const domainOf = (sender: string): string =>
  /@([^<>\s@]+)>?$/.exec(sender)?.[1]?.toLowerCase() ?? '';

/** The TXT records of a name, as `resolveTxt` of node:dns gives them. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

type Sender = Pick<Config, 'mailFrom'>;

/** Weaker keys are ignored by receivers (RFC 8301, 3.2). */
const SHORTEST_RSA = 1024;

/** Whether the mail server lets us in. `signIn` says hello, begins TLS and shows our account. */
export async function mailCheck(
  { mailUrl }: Pick<Config, 'mailUrl'>,
  signIn: () => Promise<unknown>,
): Promise<Check> {
  const host = mailUrl ? new URL(mailUrl).hostname : '';
  try {
    await signIn();
    return checked('mail', 'ok', { code: 'mailGood', values: { host } });
  } catch (error) {
    const status = error instanceof Error && 'responseCode' in error ? error.responseCode : '';
    const reason = `${reasonOf(error)} ${typeof status === 'number' ? status : ''}`.trim();
    const found = { code: 'mailBad' as const, values: { host, reason } };
    return checked('mail', 'missing', found, variable('MAIL_URL'));
  }
}

/** Whether receivers are told which servers send for our domain, and to refuse others. */
export async function spfCheck({ mailFrom }: Sender, resolve: ResolveTxt): Promise<Check> {
  const domain = domainOf(mailFrom);
  const mend = record(`${domain} TXT "v=spf1 include:… -all"`);
  const texts = await textsAt('spf', domain, resolve);
  if ('id' in texts) return texts;
  const spf = readSpf(texts.texts);
  switch (spf.kind) {
    case 'none':
      return checked('spf', 'missing', { code: 'spfNone', values: { domain } }, mend);
    case 'several': {
      const values = { domain, total: spf.total };
      return checked('spf', 'missing', { code: 'spfSeveral', values }, mend);
    }
    case 'open': {
      const values = { domain, record: spf.record };
      return checked('spf', 'missing', { code: 'spfOpen', values }, mend);
    }
    case 'closed':
      return checked('spf', 'ok', { code: 'spfGood', values: { domain, record: spf.record } });
  }
}

/** Whether receivers find the key with which our mail server signs. Its selector cannot be asked for, only known. */
export async function dkimCheck(
  { mailFrom, dkimSelector }: Sender & Pick<Config, 'dkimSelector'>,
  resolve: ResolveTxt,
): Promise<Check> {
  if (!dkimSelector) {
    return checked('dkim', 'unknown', { code: 'dkimSelector' }, variable('MAIL_DKIM_SELECTOR'));
  }
  const name = `${dkimSelector}._domainkey.${domainOf(mailFrom)}`;
  const mend = record(`${name} TXT "v=DKIM1; k=rsa; p=…"`);
  const texts = await textsAt('dkim', name, resolve);
  if ('id' in texts) return texts;
  const key = readDkim(texts.texts);
  if (key === null || !isKey(key)) {
    return checked('dkim', 'missing', { code: 'dkimNone', values: { name } }, mend);
  }
  const bits = rsaBits(key);
  return bits !== null && bits < SHORTEST_RSA
    ? checked('dkim', 'missing', { code: 'dkimShort', values: { name, bits } }, mend)
    : checked('dkim', 'ok', { code: 'dkimGood', values: { name } });
}

/** Whether receivers are told what to do with e-mails that only claim to be ours. */
export async function dmarcCheck({ mailFrom }: Sender, resolve: ResolveTxt): Promise<Check> {
  const domain = domainOf(mailFrom);
  const mend = record(`_dmarc.${domain} TXT "v=DMARC1; p=quarantine; rua=mailto:…"`);
  for (const owner of withParents(domain)) {
    const name = `_dmarc.${owner}`;
    const texts = await textsAt('dmarc', name, resolve);
    if ('id' in texts) return texts;
    const policy = readDmarc(texts.texts, { isParent: owner !== domain });
    if (policy === 'none') {
      return checked('dmarc', 'missing', { code: 'dmarcOpen', values: { name } }, mend);
    }
    if (policy === 'invalid') break;
    if (policy) return checked('dmarc', 'ok', { code: 'dmarcGood', values: { name, policy } });
  }
  return checked('dmarc', 'missing', { code: 'dmarcNone', values: { domain } }, mend);
}

/** No such name, and no such record: the DNS answered that there is none. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** The texts at a name, none where the DNS says so; or the check that cannot be made, as the DNS does not answer. */
async function textsAt(
  id: CheckId,
  name: string,
  resolve: ResolveTxt,
): Promise<{ texts: string[] } | Check> {
  try {
    // A long record comes in parts, which belong together without a space (RFC 7208, 3.3).
    return { texts: (await resolve(name)).map((parts) => parts.join('')) };
  } catch (error) {
    const reason = reasonOf(error);
    if (ABSENT.has(reason)) return { texts: [] };
    return checked(id, 'unknown', { code: 'dnsAway', values: { name, reason } });
  }
}

/** Null for Ed25519, whose record is the 32 bytes of the key (RFC 8463). */
function rsaBits(key: string): number | null {
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length === 32) return null;
  const read = createPublicKey({ key: bytes, format: 'der', type: 'spki' });
  return read.asymmetricKeyDetails?.modulusLength ?? null;
}

function isKey(key: string): boolean {
  try {
    rsaBits(key);
    return true;
  } catch {
    return false;
  }
}
