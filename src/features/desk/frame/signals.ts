/** What waits for somebody, beside the names of the pages where it is done. */
export type DeskSignals = {
  /** Refunds that this person may release. */
  readonly refunds: number;
  /** Open alerts about money; 0 for whoever may not see payments. */
  readonly alerts: number;
};
