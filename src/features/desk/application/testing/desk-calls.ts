import { z } from 'zod';
import { api } from '~/app/api.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { makeTestPlatform } from '../../../../../test/platform.ts';
import { storeStaff } from './case-store.server.ts';

export const record = z.record(z.string(), z.unknown());
export const list = z.array(record);

/** A service with the desk's calls, and a reviewer who makes them. */
export async function deskCalls() {
  const platform = await makeTestPlatform();
  const app = api(platform, makePayments(platform));
  const aydin = await storeStaff(platform, { name: 'E. Aydın' });

  async function call(method: string, path: string, body?: unknown, cookie = aydin.cookie) {
    const response = await app.request(`/api/admin${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, headers: response.headers, json };
  }

  const answerOf = async (...args: Parameters<typeof call>) => {
    const { status, json } = await call(...args);
    return { status, ...record.parse(json) };
  };
  return { answerOf, app, aydin, call, platform };
}
