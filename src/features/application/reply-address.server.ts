import { timingSafeEqual } from 'node:crypto';
import type { Sealer } from '~/platform/crypto/seal.server.ts';

/** Bytes of the tag behind the id: nobody guesses 64 bits by sending letters. */
const TAG_BYTES = 8;
const PLACE = /^([0-9a-f]{32})([0-9a-f]{16})$/;

const tagOf = (hash: Buffer): Buffer => hash.subarray(0, TAG_BYTES);

const PURPOSE = 'application.reply_address';

/** The parts of an address around its @, in lower case, as many mail servers write it. */
function split(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, at).toLowerCase(), domain: address.slice(at + 1).toLowerCase() };
}

/**
 * Where a traveller's answer about an application goes: the mailbox's own address with the application's id after a plus,
 * and a keyed tag of it, so that nobody can make the address of another application. Its number, which opens it, is not
 * in it.
 */
export function makeReplyAddress(
  sealer: Pick<Sealer, 'keyedHash'>,
  mailbox: string,
  applicationId: string,
): string {
  const { local, domain } = split(mailbox);
  const tag = tagOf(sealer.keyedHash(applicationId, PURPOSE)).toString('hex');
  return `${local}+${applicationId.replaceAll('-', '')}${tag}@${domain}`;
}

/** The id of the application of the first address that `makeReplyAddress` made; null where it made none of them. */
export function readReplyAddress(
  sealer: Pick<Sealer, 'keyedHashes'>,
  mailbox: string,
  addresses: readonly string[],
): string | null {
  const { local, domain } = split(mailbox);
  for (const address of addresses) {
    const to = split(address.trim());
    if (to.domain !== domain || !to.local.startsWith(`${local}+`)) continue;
    const [, id = '', tag = ''] = PLACE.exec(to.local.slice(local.length + 1)) ?? [];
    const applicationId = id.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
    const given = Buffer.from(tag, 'hex');
    const isOurs = sealer
      .keyedHashes(applicationId, PURPOSE)
      .some((hash) => given.length === TAG_BYTES && timingSafeEqual(tagOf(hash), given));
    if (isOurs) return applicationId;
  }
  return null;
}
