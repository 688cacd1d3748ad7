/**
 * The result of a capture. `declined`: a capture with DECLINED in an order with COMPLETED. `refused`: no capture, the
 * call answers 422. `wrong_amount`: one dollar less than ordered.
 */
export const captureOutcomes = [
  'completed',
  'pending',
  'declined',
  'refused',
  'wrong_amount',
] as const;
export type CaptureOutcome = (typeof captureOutcomes)[number];

/** How an order's webhooks are sent. `reordered`: later ones first. `never`: only by `deliver`. */
export const deliveryManners = [
  'once',
  'twice',
  'late',
  'reordered',
  'never',
  'wrong_signature',
] as const;
export type DeliveryManner = (typeof deliveryManners)[number];

export const faultCalls = ['token', 'create', 'get', 'capture', 'refund', 'certificate'] as const;
export type FaultCall = (typeof faultCalls)[number];

/**
 * `before`: fails before anything is done. `after`: done, and the response is lost. `held`: done, and not answered
 * until the caller hangs up. `pending` and `refused`: results of a refund.
 */
export const faultKinds = [
  'error_before',
  'error_after',
  'reset_before',
  'reset_after',
  'held',
  'pending',
  'refused',
] as const;
export type FaultKind = (typeof faultKinds)[number];
