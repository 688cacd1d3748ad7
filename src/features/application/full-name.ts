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

/** A traveller's name as lists sort it, the last name first; a single name, which is stored as both, is written once. */
export const listedName = ({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): string => (firstName === lastName ? lastName : `${lastName}, ${firstName}`);
