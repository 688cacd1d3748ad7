type View = { promisedAt: Date | null; decidedAt: Date | null };

/**
 * Whether there is a promised moment to wait for: not before payment, not while the traveller is waited for, and no longer
 * once it is decided.
 */
export const isPromised = <Some extends View>(view: Some): view is Some & { promisedAt: Date } =>
  view.promisedAt !== null && view.decidedAt === null;
