/** A backup that is not whole, was changed, or does not belong to what it is to be restored into. For people, in one sentence. */
export class BackupError extends Error {
  override name = 'BackupError';
}
