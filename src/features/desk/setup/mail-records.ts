/** What the DNS says of a sender, read as receivers of e-mails read it. */

export type SpfRecord =
  | { kind: 'none' }
  /** RFC 7208, 4.5: more than one record is an error, and none counts. */
  | { kind: 'several'; total: number }
  | { kind: 'open'; record: string }
  | { kind: 'closed'; record: string };

/** SPF (RFC 7208) among the TXT records of the sender's domain. `closed`: everybody who is not named is refused. */
export function readSpf(texts: readonly string[]): SpfRecord {
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
export function readDkim(texts: readonly string[]): string | null {
  for (const text of texts) {
    const tags = tagsOf(text);
    if (tags.has('v') && tags.get('v') !== 'DKIM1') continue;
    const key = tags.get('p')?.replaceAll(/\s/g, '');
    if (key !== undefined) return key === '' ? null : key;
  }
  return null;
}

export const dmarcPolicies = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof dmarcPolicies)[number];

/**
 * The policy of DMARC among the TXT records of `_dmarc.<domain>` (RFC 7489, 6.6.3). Null: there is none, and receivers look
 * at the domain above. `invalid`: several, or one whose `p` or `sp` is no policy; receivers look no further, and let everything in.
 * `isParent`: the records are of a domain above the sender's, whose `sp` then counts before its `p`.
 */
export function readDmarc(
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
export function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/** The domain of a sender: `Name <name@example.org>` or `name@example.org`. */
export const domainOf = (sender: string): string =>
  /@([^<>\s@]+)>?$/.exec(sender)?.[1]?.toLowerCase() ?? '';
