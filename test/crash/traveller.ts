import type { Doubles } from './doubles.ts';
import type { ArmedPoint } from './kill-points.ts';
import { field, post } from './retrying-client.ts';
import type { Staff } from './staff.ts';

/** What a traveller uses. */
export type World = {
  address: string;
  doubles: Doubles;
  staff: Staff;
  armedPoint: ArmedPoint;
  random: () => number;
  committed(attemptId: string): Promise<void>;
};

/** The traveller's own network address, and the order's amount. */
export type Traveller = World & { headers: Record<string, string>; amount: string };

/** Starts a payment; null where the order is paid already. */
export async function started(
  { address, headers, amount }: Traveller,
  path: string,
  number: string,
): Promise<unknown> {
  const response = await post(
    `${address}${path}`,
    { amount, currency: 'USD', orderReference: number },
    headers,
  );
  const body: unknown = await response.json();
  if (response.status === 409 && field(body, 'code') === 'already_paid') return null;
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return body;
}
