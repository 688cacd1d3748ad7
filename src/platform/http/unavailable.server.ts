import { databaseWentAway } from '../log/database-error.server.ts';
import { gotNoConnection } from '../postgres/database.server.ts';
import { gotNoFiles } from '../files/file-store.server.ts';

/** Whether work failed because the database or the file storage was not there: the same may succeed in a moment. */
export const isUnavailable = (error: unknown): boolean =>
  gotNoConnection(error) || databaseWentAway(error) || gotNoFiles(error);
