/**
 * Payers of the simulated gateway whom its checkout never opens for, told by their e-mail address as test cards are by
 * their number: for looking at what a traveller sees when the payment page is away.
 */
export const isShutOut = (email: string | undefined): boolean =>
  email?.startsWith('no-payment-page') ?? false;
