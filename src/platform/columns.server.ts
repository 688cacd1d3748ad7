import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Bytes as the sealer makes them (`crypto.server.ts`). */
export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** A moment; always with its zone. */
export const moment = (name?: string) =>
  name === undefined
    ? timestamp({ withTimezone: true, mode: 'date', precision: 3 })
    : timestamp(name, { withTimezone: true, mode: 'date', precision: 3 });
