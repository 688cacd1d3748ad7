import { createContext } from 'react-router';
import type { PlainDate } from '~/base/dates/dates.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

/**
 * The last day to enter Türkiye on an e-visa with a supporting document: counted from its approval, before that from the
 * promised moment. Null where entering is not limited, nothing is promised, or it was rejected. A parameter, because the
 * visa feature stands above this one: `src/app` passes it in.
 */
export type LastEntryDayOf = (db: Queryable, number: string) => Promise<PlainDate | null>;

export const lastEntryDayContext = createContext<LastEntryDayOf>();
