import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { afterAll, expect, test } from 'vitest';
import { seedAll } from '../../src/features/catalog/seed.server.ts';
import { seeders } from '../../src/app/composition/seeders.server.ts';
import { describeApi } from '../../src/app/api/api-description.server.ts';
import { attemptsFor } from '../../src/features/payment/settlement/store.server.ts';
import { projectRoot } from '../../src/platform/config/root.server.ts';
import { purchases } from '../purchases.ts';
import { startTestService } from '../service.ts';

/** `buy-for-family.ts`, which has types only beside the generated client. */
type BuyForFamily = (
  url: string,
  payAt: (paymentUrl: string) => Promise<void>,
) => Promise<{
  orderNumber: string;
  paymentStatus: string;
  travellers: { applications: { firstName: string }[] }[];
}>;

// Beside the sources, so that the runtime of the client is found.
const folder = mkdtempSync(join(projectRoot, 'test', 'api-client', 'tmp-'));
afterAll(() => rmSync(folder, { recursive: true }));
const service = await startTestService();
const { platform, url } = service;
await seedAll(platform.db, seeders, platform.now());

test('a client that is generated from the description type-checks, and buys for a family of four', async () => {
  const description = describeApi(url, { reader: 'everybody', staffCookie: 'lale_staff' });
  const spec = join(folder, 'openapi.json');
  writeFileSync(spec, JSON.stringify(description));
  const client = join(folder, 'lale.ts');
  writeFileSync(client, await generateSource(spec));
  const buyer = join(folder, 'buy-for-family.ts');
  copyFileSync(join(projectRoot, 'test', 'api-client', 'buy-for-family.ts'), buyer);

  const check = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
    '--target',
    'es2023',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    '--allowImportingTsExtensions',
    '--lib',
    'es2023,dom',
    '--types',
    '',
  ];
  const tsc = join(projectRoot, 'node_modules', '.bin', 'tsc');
  const types = await promisify(execFile)(tsc, [...check, client, buyer]).catch(
    (failed: { stdout: string; code: number }) => failed,
  );
  expect(types).toEqual({ stdout: '', stderr: '' });

  const { buyForFamily: buy }: { buyForFamily: BuyForFamily } = await import(buyer);
  const { pay, comeBack } = purchases(service);
  const order = await buy(url, async (paymentUrl) => {
    expect(paymentUrl).toContain('/gpay-checkout?data=');
    const sent = new URL(paymentUrl).searchParams.get('data') ?? '';
    const verified = platform.signer.verify(sent, 'checkoutRedirect', platform.now());
    if (!verified.ok) throw new Error(verified.reason);
    const { attemptId } = verified.payload as { attemptId: string };
    await comeBack(await pay(attemptId));
  });
  expect(order.paymentStatus).toBe('completed');
  expect(order.travellers.map(({ applications }) => applications[0]?.firstName)).toEqual([
    'Anna',
    'Bela',
    'Carl',
    'Dora',
  ]);
  const attempts = await attemptsFor(platform.db, order.orderNumber);
  expect(attempts.map(({ begunBy, state }) => [begunBy, state])).toEqual([['guest', 'completed']]);
});
