import { describe, expect, it } from 'vitest';
import { paymentStates, type PaymentState } from '~/features/payment/machine.ts';
import { inOrderLanguage } from './payment-result.server.ts';
import { reasonKey, stoppedKind } from './stopped.ts';

describe('the screen of a payment that did not happen', () => {
  it.each<[PaymentState, string | null, number, ReturnType<typeof stoppedKind>]>([
    ['cancelled', 'cancelled_by_payer', 0, 'cancelled'],
    ['failed', 'card_declined', 0, 'declined'],
    ['failed', 'insufficient_funds', 0, 'declined'],
    ['failed', 'expired_card', 0, 'declined'],
    ['failed', 'instrument_declined', 0, 'declined'],
    ['failed', 'paypal_declined', 0, 'declined'],
    ['failed', 'payer_cannot_pay', 0, 'declined'],
    ['failed', 'processing_error', 0, 'failed'],
    ['failed', 'something_new', 0, 'failed'],
    ['failed', null, 0, 'failed'],
    ['failed', 'start_refused', 1, 'issue'],
    ['expired', 'expired', 0, 'expired'],
    ['created', null, 1, 'issue'],
    ['created', null, 0, 'unfinished'],
    ['redirected', null, 0, 'unfinished'],
    // An earlier failed start does not override the later result.
    ['cancelled', null, 2, 'cancelled'],
  ])('%s because of %s after %i failed starts is %s', (state, reason, failedStarts, kind) => {
    expect(stoppedKind({ state, reason, supersededAt: null }, failedStarts > 0)).toBe(kind);
  });

  it.each<[PaymentState, ReturnType<typeof stoppedKind>]>([
    ['expired', 'changed'],
    ['cancelled', 'changed'],
    ['failed', 'changed'],
    ['captured_late', 'refunding'],
    ['refunded', 'refunded'],
  ])('%s for an amount that is no longer due is %s', (state, kind) => {
    const superseded = { state, reason: 'superseded', supersededAt: new Date() };
    expect(stoppedKind(superseded, false)).toBe(kind);
  });

  it('exists for every state', () => {
    for (const state of paymentStates)
      expect(stoppedKind({ state, reason: null, supersededAt: null }, false)).toBeTruthy();
  });

  it('without any attempt depends on whether one could be started', () => {
    expect(stoppedKind(null, false)).toBe('unfinished');
    expect(stoppedKind(null, true)).toBe('issue');
  });

  it('has words for the reasons it knows, and general ones for all others', () => {
    expect(reasonKey('card_declined')).toBe('card_declined');
    expect(reasonKey('instrument_declined')).toBe('instrument_declined');
    expect(reasonKey('transaction_refused')).toBe('paypal_declined');
    expect(reasonKey('payer_account_restricted')).toBe('payer_account');
    expect(reasonKey('do_not_honour')).toBe('other');
    expect(reasonKey(null)).toBe('other');
  });
});

describe('the language after the payment partner', () => {
  const at = (path: string) => new URL(path, 'http://127.0.0.1:3000');

  it.each([
    ['/payment-success?order=1', 'en', 'de', false, '/de/payment-success?order=1'],
    ['/payment-success?order=1', 'de', 'de', false, null],
    // A saved choice, or a language in the address, takes precedence over the order's.
    ['/payment-success?order=1', 'en', 'de', true, null],
    ['/fr/payment-success?order=1', 'fr', 'de', false, null],
    ['/payment-success?order=1', 'en', 'xx', false, null],
  ])('%s in %s for an order in %s', (path, shown, language, hasChosen, expected) => {
    expect(inOrderLanguage(at(path), shown, { language, hasChosen })).toBe(expected);
  });
});
