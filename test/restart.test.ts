import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { builtServices, isBuilt, untilReady } from './built-service.ts';

// A restart as docs/going-live.md has it: by the unit for systemd, which starts the next one as soon as the process that
// it started has ended.
const unit = readFileSync(join(import.meta.dirname, '../deploy/lale.service'), 'utf8');
const [, words = ''] = /^ExecStart=\/usr\/bin\/env node (.+)$/m.exec(unit) ?? [];
const command = [process.execPath, ...words.split(' ')];

const { start, port } = await builtServices({ DRAIN_GRACE_MS: '300' });

const isTaken = async (): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1');
  const taken = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return taken;
};

test.skipIf(!isBuilt)(
  'the process of the unit is the service: when it has ended, the next one finds the port free',
  { timeout: 180_000 },
  async () => {
    const first = await untilReady(start({}, command), port);
    expect(await isTaken()).toBe(true);
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    expect(await isTaken()).toBe(false);
    const second = await untilReady(start({}, command), port);
    expect(second.output()).not.toContain('in use');
  },
);

test('the unit starts it after the machine and whenever it ends, and gives it the time it needs', () => {
  for (const line of [
    'Restart=always',
    'RestartPreventExitStatus=78',
    'WantedBy=multi-user.target',
    'User=lale',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
  ])
    expect(unit.split('\n')).toContain(line);
  expect(unit).not.toMatch(/^ExecStart=.*npm/m);
  expect(unit).not.toMatch(/^EnvironmentFile=.*owner/m);
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  expect(Number(seconds)).toBeGreaterThanOrEqual(80);
});
