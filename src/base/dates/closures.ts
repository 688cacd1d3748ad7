/** Days on which the operator has closed the office, both included: YYYY-MM-DD, as the days are in UTC. */
export type Closure = { readonly from: string; readonly to: string };

export const noClosures: readonly Closure[] = [];

/** Whether a day (YYYY-MM-DD) lies in one of them. */
export const isClosed = (closures: readonly Closure[], day: string): boolean =>
  closures.some(({ from, to }) => from <= day && day <= to);
