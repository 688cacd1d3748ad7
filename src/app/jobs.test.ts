import { expect, test } from 'vitest';
import { makeTestPlatform } from '../../test/platform.ts';
import { jobHandlers, schedule } from './jobs.server.ts';
import { makePayments } from './composition/payments.server.ts';

const platform = await makeTestPlatform();
const handlers = jobHandlers(platform, makePayments(platform));

test.each(schedule.map(({ name }) => name))(
  'the clock finds the job %s, which bears running twice',
  async (name) => {
    const handler = handlers[name];
    expect(handler).toBeDefined();
    const job = { id: '1', attempt: 1, isLastAttempt: false, signal: AbortSignal.timeout(5000) };
    await handler?.({}, job);
    await handler?.({}, job);
  },
);
