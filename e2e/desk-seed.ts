import { randomUUID } from 'node:crypto';
import { openSourceModules } from '../scripts/source-modules.ts';
import type { Case as DeskCase } from '../src/features/desk/testing/case-store.server.ts';
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

/** Stores paid visa applications for the running service, and one of the staff; returns their numbers and a cookie. */
export async function storeVisas(
  people: readonly Pick<DeskCase, 'firstName' | 'lastName' | 'passportNumber' | 'language'>[],
): Promise<{ numbers: string[]; cookie: string }> {
  const vite = await openSourceModules();
  try {
    const { withPlatform } = await vite.ssrLoadModule('/e2e/desk-platform.ts');
    const { storeCase, storeStaff } = await vite.ssrLoadModule(
      '/src/features/desk/testing/case-store.server.ts',
    );
    return await withPlatform(process.env.E2E_DATA_DIR ?? '', async (platform: Platform) => {
      const numbers: string[] = [];
      // Not due for long, where other tests work at this desk.
      const promisedAt = new Date(platform.now().getTime() + 90 * 24 * 3600_000);
      for (const person of people) {
        const email = `${randomUUID().slice(0, 8)}@traveller.example`;
        numbers.push((await storeCase(platform, { ...person, email, promisedAt })).number);
      }
      const { cookie } = await storeStaff(platform, { name: 'E. Aydın' });
      return { numbers, cookie };
    });
  } finally {
    await vite.close();
  }
}
