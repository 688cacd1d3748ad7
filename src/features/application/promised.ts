/** The promised moment as it is now: none while the traveller is waited for. */
export const runningPromise = ({
  promisedAt,
  pausedAt,
}: {
  promisedAt: Date | null;
  pausedAt: Date | null;
}): Date | null => (pausedAt ? null : promisedAt);

type View = { promisedAt: Date | null; decidedAt: Date | null };

/**
 * Whether there is a promised moment to wait for: not before payment, not while the traveller is waited for, and no longer
 * once it is decided or the moment has passed.
 */
export const isPromised = <Some extends View>(
  view: Some,
  now: Date,
): view is Some & { promisedAt: Date } =>
  view.promisedAt !== null && view.decidedAt === null && view.promisedAt > now;

/**
 * Whether a promised moment was missed: it had passed at the decision, or has passed now. A paused one is not missed, and
 * one approved without its PDF is not delivered.
 */
export const isMissed = (
  {
    promisedAt,
    decidedAt,
    pausedAt,
    undeliveredSince,
  }: Record<'promisedAt' | 'decidedAt' | 'pausedAt' | 'undeliveredSince', Date | null>,
  now: Date,
): boolean => {
  const ended = undeliveredSince ? null : (decidedAt ?? pausedAt);
  return promisedAt !== null && (ended && ended < now ? ended : now) > promisedAt;
};

/** The text about one of several applications that says by when Lale does its work. */
export const chooseReadyText = ({ kind }: { kind: 'visa' | 'insurance' }) =>
  kind === 'visa' ? 'group.ready' : 'group.readyInsurance';
