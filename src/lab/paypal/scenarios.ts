/**
 * What a capture comes to. declined: a capture that says DECLINED within an order that says COMPLETED. refused: no capture at
 * all, the call answers 422. wrong_amount: one dollar less is taken than was ordered.
 */
export const captureOutcomes = [
  'completed',
  'pending',
  'declined',
  'refused',
  'wrong_amount',
] as const;
export type CaptureOutcome = (typeof captureOutcomes)[number];

/** How the webhooks of an order leave. reordered: the later ones first. never: only `deliver` sends them. */
export const deliveryManners = [
  'once',
  'twice',
  'late',
  'reordered',
  'never',
  'wrong_signature',
] as const;
export type DeliveryManner = (typeof deliveryManners)[number];

export const troubleCalls = ['token', 'create', 'get', 'capture', 'refund', 'certificate'] as const;
export type TroubleCall = (typeof troubleCalls)[number];

/**
 * before: nothing was done. after: it was done, and the answer is lost. held: it was done, and the answer stays out until
 * the caller hangs up. pending and refused: what a refund comes to.
 */
export const troubleKinds = [
  'error_before',
  'error_after',
  'reset_before',
  'reset_after',
  'held',
  'pending',
  'refused',
] as const;
export type TroubleKind = (typeof troubleKinds)[number];
