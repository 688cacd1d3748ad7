/** The code of an error of the system or the network, or its name; never its message, which may hold an address. */
export function errorReason(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
    if (!(cause.cause instanceof Error)) return cause.name;
  }
  return 'unknown';
}
