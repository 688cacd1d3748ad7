import { isFinal, type ApplicationStatus } from '~/features/application/status-machine.ts';

/** What stands in the way of an erasure, and the number of the application or order. */
export type Blocker = { code: 'under_way' | 'held' | 'money_moving' | 'disputed'; number: string };

type ApplicationToErase = { number: string; status: ApplicationStatus; isHeld: boolean };

/**
 * `heldOrders`, `moving`, `disputed`: numbers of orders with a hold as a whole; of which a payment or a refund is not
 * decided; with a payment that staff still have to look at, such as one that the payer's bank asks back.
 */
export const blockersOf = (
  applications: readonly ApplicationToErase[],
  {
    heldOrders,
    moving,
    disputed,
  }: { heldOrders: readonly string[]; moving: readonly string[]; disputed: readonly string[] },
): Blocker[] => [
  ...applications.flatMap(({ number, status, isHeld }): Blocker[] => [
    ...(isFinal(status) ? [] : [{ code: 'under_way', number } as const]),
    ...(isHeld ? [{ code: 'held', number } as const] : []),
  ]),
  // A hold on the order is told once, with the order's number.
  ...heldOrders.map((number): Blocker => ({ code: 'held', number })),
  ...moving.map((number): Blocker => ({ code: 'money_moving', number })),
  ...disputed.map((number): Blocker => ({ code: 'disputed', number })),
];

/**
 * An insurance that was concluded stays with its certificate although its holder has the rest erased: merchants keep
 * their papers for ten years (Commercial Code, No. 6102, art. 82; GDPR, art. 17(3)(b)). Of a visa nothing but the
 * ledger has to stay.
 */
export const isKept = ({
  kind,
  status,
}: {
  kind: 'visa' | 'insurance';
  status: ApplicationStatus;
}): boolean => kind === 'insurance' && status === 'approved';
