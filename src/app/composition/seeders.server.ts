import { seedCatalog, type Seeder } from '~/features/catalog/seed.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { seedVisaPrices } from '~/features/visa/store/store.server.ts';

/** Reference data that must be there before the first visitor, feature by feature. */
export const seeders: readonly Seeder[] = [seedCatalog, seedInsurance, seedVisaPrices];
