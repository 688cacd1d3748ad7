/** A traveller's name as it is written; a single name, which is stored as both, is written once. Empty without any. */
export function fullName({
  firstName = '',
  lastName = '',
}: {
  firstName?: string | undefined;
  lastName?: string | undefined;
}): string {
  const names = [firstName.trim(), lastName.trim()].filter((name) => name !== '');
  return [...new Set(names)].join(' ');
}
