/** An e-mail address by which one knows it and nobody else learns it: "t•••o@example.org". */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 1) return '•••';
  const name = Array.from(address.slice(0, at));
  const last = name.length > 2 ? name.at(-1) : '';
  return `${name[0] ?? ''}•••${last ?? ''}${address.slice(at)}`;
}
