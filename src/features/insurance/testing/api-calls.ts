import { count } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { insuranceApi } from '../purchase/api.server.ts';
import { seedInsurance } from '../store/seed.server.ts';
import { adult } from './sample-answers.ts';

/** A body of `POST /api/insurance/applications` for an adult and ten days. */
export const completeCall = {
  ...adult,
  countryOfOrigin: 'Mexico',
  travelDate: '2026-12-12',
  returnDate: '2026-12-21',
  destination: 'Turkey',
  dateOfBirth: '1991-07-14',
  productId: '14-days',
  totalAmount: '149.00',
  tripDurationDays: 10,
  parentIdPhotos: null,
};
/** The same for a minor, who needs photos. */
export const minorCall = { ...completeCall, firstName: 'Diego', dateOfBirth: '2012-02-29' };

export const dataUrl = (bytes: Uint8Array, type = 'image/jpeg') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

/** A small JPEG. */
export const jpeg = (shade = '#8ab') =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: shade } })
    .jpeg()
    .toBuffer();

type Body = Record<string, unknown>;

/** A service with the calls of insurance. Call it at the top of a test file. */
export async function insuranceCalls() {
  const platform = await makeTestPlatform();
  const app = insuranceApi(platform);

  beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

  async function post(body: unknown, headers: Record<string, string> = {}) {
    const response = await app.request('/api/insurance/applications', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer: Body = await response.json();
    return { status: response.status, answer, response };
  }

  const applications = async () => {
    const [row] = await platform.db.select({ all: count() }).from(application);
    return row?.all ?? 0;
  };
  return { app, applications, platform, post };
}
