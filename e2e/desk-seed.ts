import { openSourceModules } from '../scripts/source-modules.ts';
import type { Platform } from '../src/platform/platform.server.ts';
import type { DeskCases } from './desk-cases.ts';

/** Stores applications in every state for the running service, with the service's own functions. */
export async function seedDesk(options?: { daysLater: number }): Promise<DeskCases> {
  const vite = await openSourceModules();
  try {
    const { withPlatform } = await vite.ssrLoadModule('/e2e/desk-platform.ts');
    const { storeDeskCases } = await vite.ssrLoadModule('/e2e/desk-cases.ts');
    return await withPlatform(process.env.E2E_DATA_DIR ?? '', (platform: Platform) =>
      storeDeskCases(platform, options),
    );
  } finally {
    await vite.close();
  }
}

/** Stores one more administrator; returns the cookie of a session. */
export async function storeAdministrator(): Promise<string> {
  const vite = await openSourceModules();
  try {
    const { withPlatform } = await vite.ssrLoadModule('/e2e/desk-platform.ts');
    const { storeStaff } = await vite.ssrLoadModule(
      '/src/features/desk/testing/case-store.server.ts',
    );
    return await withPlatform(
      process.env.E2E_DATA_DIR ?? '',
      async (platform: Platform) => (await storeStaff(platform, { role: 'administrator' })).cookie,
    );
  } finally {
    await vite.close();
  }
}
