import { freshKeys } from './platform/config/fresh-keys.server.ts';
import { dateOf, UTC } from './base/dates/dates.ts';

/** `npm run keys`: prints fresh passwords, secrets and keys as lines of an environment file. It stores nothing. */
for (const line of freshKeys(dateOf(new Date(), UTC))) console.log(line);
