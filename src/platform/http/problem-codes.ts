/**
 * The codes of refused calls (`code` of problem+json) and what each says, as `/api/openapi.json` lists them. Programs of
 * others read them: a code keeps its meaning.
 */
const forEverybody = {
  // Of any call.
  bad_characters: 'a text holds the character NUL or half a character',
  bad_key: 'the Idempotency-Key is empty or longer than 200 characters',
  broken_off: 'the body did not arrive whole',
  busy: 'the service has too much to do; Retry-After says when to try again',
  foreign_origin: 'a browser sent this from a page of another site',
  internal: 'the service failed; “reference” names the failure in its log',
  invalid: '“errors” names the fields that are not accepted',
  key_reused: 'the Idempotency-Key was used with another body',
  maintenance: 'the service is closed for maintenance',
  no_page: 'there is no such page',
  not_a_form: 'the form did not arrive whole',
  not_found: 'there is no such thing',
  not_json: 'the body is not JSON, or not an object',
  token_required: 'the token of the metrics is missing or wrong',
  too_deep: 'the JSON has too many levels',
  too_large: 'the body is too large',
  too_many_fields: 'the JSON has too many members, or the form too many fields',
  too_many_calls: 'too many calls from this address; Retry-After says when to try again',
  wrong_type: 'the body is of another type than this call takes',
  // Applications and their status.
  application_not_found: 'there is no application with this number',
  empty_number: 'the number is empty',
  insurance_not_on_sale: 'no insurance is sold at present',
  mistyped_number: 'a character of the number is wrong, missing or too many',
  order_of_several: 'the number is that of an order for several travellers',
  short_number: 'the number has fewer than six characters',
  too_many_lookups: 'too many look-ups; Retry-After says when to try again',
  too_many_photos: 'too many photos were sent; Retry-After says when to try again',
  wrong_total: 'the total is another one: “totalAmount”',
  // Payment.
  already_paid: 'the order is paid',
  no_answer: 'the payment partner did not answer',
  no_provider: 'no payment partner is configured, or none for this',
  order_changed: 'the order has just been changed',
  order_closed: 'the order was closed before it was paid',
  order_reference_required: 'an unpaid order with this reference is needed',
  payment_confirming:
    'another payment of the order may be captured at any moment: “reason” is held, confirming or awaited',
  payment_start_failed: 'the payment partner did not begin the payment',
  paypal_order_not_found: 'there is no such order at PayPal',
  too_many_payments:
    'too many payments of this order were begun; Retry-After says when to try again',
  wrong_amount: 'the amount is not that of the order',
  // Notifications of payment partners.
  capture_reused: 'the captured payment belongs to another order',
  not_verified: 'the notification is not signed, or could not be checked (503: deliver it again)',
  unknown_reference: 'there is no such payment or refund',
} as const;

/** Of the calls of staff, which others are not told of. */
const forStaff = {
  forbidden: 'the role of the staff member does not allow this',
  second_factor_required: 'the staff member has to set up a second factor first',
  signed_out: 'no staff member is signed in',
  // Decisions.
  already_waiting: 'the traveller is already asked for a correction',
  claimed: 'a colleague, “claimedBy”, is at work on the application',
  document_differs: 'the document may belong to another traveller',
  ending: 'this process is about to stop: connect again',
  list_too_slow: 'the list took too long: narrow it further',
  not_approved: 'a document is attached to an approved application alone',
  not_waiting: 'the traveller is not asked for a correction any more',
  possible_duplicate: 'the application may be a duplicate of another one',
  refunded: 'the application is being paid back: it can only be rejected',
  stale: 'somebody else, “decidedBy”, was first',
  too_many: 'too many pages of this staff member wait for news',
  unpaid: 'the application or order is not paid',
  // Refunds.
  asked_at: 'the request cannot have come before the payment, nor in the future',
  exceeds: 'this is more than is left',
  no_application: 'none of these applications belongs to the order',
  not_held: 'the refund does not wait for a release',
  not_refundable: 'the payment is in no state to be refunded',
  note_required: 'an amount that differs from the proposal needs a note',
  note_too_long: 'the note is too long',
  nothing: 'nothing would go back',
  other_order: 'the id belongs to a refund of another order',
  own: 'nobody releases their own refund',
} as const;

export const problemCodes: Readonly<Record<'everybody' | 'staff', Record<string, string>>> = {
  everybody: forEverybody,
  staff: { ...forEverybody, ...forStaff },
};

export type ProblemCode = keyof typeof forEverybody | keyof typeof forStaff;
