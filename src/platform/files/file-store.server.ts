/** Where sealed files are kept, by id: a folder of this machine, or a bucket that all machines share. */
export type FileStore = {
  /** What it is called in messages: a folder's path, or a bucket with its endpoint. */
  name: string;
  /**
   * Stores durably before it answers. Writing the same id again replaces what is there, whole.
   * @throws FilesUnavailable
   */
  write(id: string, sealed: Uint8Array): Promise<void>;
  /** @throws FilesUnavailable */
  read(id: string): Promise<Buffer | undefined>;
  /**
   * Removing what is not there is no error.
   * @throws FilesUnavailable
   */
  remove(id: string): Promise<void>;
  /**
   * The ids of all files, in no order that can be relied on; what was not written by this service is left out.
   * @throws FilesUnavailable
   */
  list(): AsyncIterable<string>;
  /**
   * Lists, writes, reads and removes.
   * @throws ConfigError that says what is wrong.
   */
  check(): Promise<void>;
  close(): void;
};

/** The storage did not do it in time, or at all; the same may succeed later. */
export class FilesUnavailable extends Error {
  override name = 'FilesUnavailable';
}

/** Whether work failed because the file storage was not there. */
export function isFileStoreUnavailable(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FilesUnavailable) return true;
  }
  return false;
}
