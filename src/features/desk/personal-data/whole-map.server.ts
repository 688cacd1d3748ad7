import type { MappedTable } from './data-map.server.ts';
import { orderMap } from './order-map-store.server.ts';
import { otherMap } from './other-map-store.server.ts';
import { travellerMap } from './traveller-map-store.server.ts';

/**
 * Every table of the service and every column of it: whose data it is, what for, how long it is kept, what an export
 * and an erasure do with it. A table or a column that is not here fails `test/personal-data.test.ts`.
 */
export const wholeMap: readonly MappedTable[] = [...travellerMap, ...orderMap, ...otherMap];
