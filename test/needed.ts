export function needed<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('Expected something');
  return value;
}
