/**
 * What a limit counts an internet address by. Whoever has an IPv6 address has all of its /64 (RFC 6177), so those count
 * as one; an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2) counts as its IPv4 address. What is no address stays as it
 * is.
 */
export function addressKey(address: string): string {
  const [bare = ''] = address.split('%');
  const mapped = /^::(?:ffff:(?:0:)?)?(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  if (mapped) return mapped;
  if (!/^[0-9a-f]*:[0-9a-f:.]*$/i.test(bare) || !URL.canParse(`http://[${bare}]/`)) return address;
  // As the URL standard writes it: short, in lower case.
  const [head = '', tail] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const after = tail === undefined ? [] : groups(tail);
  const before = groups(head);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const all = tail === undefined ? before : [...before, ...zeros, ...after];
  const [hi = '', lo = ''] = all.slice(6).map((group) => group.padStart(4, '0'));
  if (all.slice(0, 5).every((group) => group === '0') && all[5] === 'ffff') {
    return Buffer.from(hi + lo, 'hex').join('.');
  }
  return `${all.slice(0, 4).join(':')}::/64`;
}
