import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import {
  startIdentityProvider,
  type TestIdentityProvider,
} from '../src/features/staff/testing/identity-provider.ts';
import { administrator } from './lale.ts';

export type SsoService = {
  url: string;
  provider: TestIdentityProvider;
  /** The link in the newest email to an address. */
  linkTo(address: string): Promise<string>;
  stop(): Promise<void>;
};

/** A service of its own whose staff sign in at an identity provider, both on this machine. */
export async function startSsoService({
  host = '127.0.0.1',
}: { host?: string } = {}): Promise<SsoService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'lale-sso-'));
  const port = randomInt(20_000, 32_000);
  const url = `http://${host}:${port}`;
  const provider = await startIdentityProvider(url);
  const child = spawn(process.execPath, ['build/server/server.js'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      PUBLIC_URL: url,
      DATA_DIR: dataDir,
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      TRUST_PROXY: 'yes',
      LOG_LEVEL: 'warn',
      ...provider.variables,
    },
  });
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}`);
    await wait(100);
  }
  return {
    url,
    provider,
    async linkTo(address) {
      const folder = join(dataDir, 'mail');
      for (let tries = 0; tries < 100; tries += 1) {
        const names = existsSync(folder)
          ? readdirSync(folder).filter((name) => name.endsWith('.eml'))
          : [];
        for (const name of names.sort().toReversed()) {
          const { to, text } = await PostalMime.parse(readFileSync(join(folder, name)));
          if (to?.some((one) => one.address === address)) {
            return /http:\S+\/admin\/\S+/.exec(text ?? '')?.[0] ?? '';
          }
        }
        await wait(100);
      }
      throw new Error(`No email to ${address}`);
    },
    async stop() {
      await provider.close();
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
