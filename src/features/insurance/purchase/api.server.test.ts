import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import { readNumber } from '~/features/application/number.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { order, orderLine } from '~/features/order/tables.server.ts';
import { usd } from '~/base/money.ts';
import { seedInsurance } from '../store/seed.server.ts';
import { readInsuranceDetails } from '../store/store.server.ts';
import { insuranceApplication } from '../store/tables.server.ts';
import {
  completeCall as complete,
  insuranceCalls,
  dataUrl,
  jpeg,
  minorCall as minor,
} from '../testing/api-calls.ts';
import { decidePlans } from '../testing/decide-plans.server.ts';
import sharp from 'sharp';
import { storedFiles } from '~/platform/testing/stored-files.ts';
import { photosByOwner } from '../store/photo-store.server.ts';

const { app, applications, platform, post } = await insuranceCalls();

type Body = Record<string, unknown>;

describe('GET /api/insurance/products', () => {
  it('lists the seven plans in order, to be kept for ten minutes', async () => {
    const response = await app.request('/api/insurance/products');
    expect(response.headers.get('cache-control')).toBe('public, max-age=600');
    const plans: Body[] = await response.json();
    expect(plans.map(({ name, price }) => [name, price])).toEqual([
      ['7 Days Coverage', '114.00'],
      ['14 Days Coverage', '149.00'],
      ['30 Days Coverage', '189.00'],
      ['60 Days Coverage', '249.00'],
      ['90 Days Coverage', '299.00'],
      ['180 Days Coverage', '399.00'],
      ['1 Year Coverage', '549.00'],
    ]);
    expect(plans[0]).toEqual({
      id: '7-days',
      name: '7 Days Coverage',
      price: '114.00',
      currency: 'USD',
      days: 7,
    });
  });

  it('answers 304 to who has them', async () => {
    const etag = (await app.request('/api/insurance/products')).headers.get('etag') ?? '';
    const again = await app.request('/api/insurance/products', {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  });
});

describe('seeding', () => {
  it('happens once, and leaves the prices that the desk sets', async () => {
    const { db } = platform;
    const seed = () => seedAll(db, [seedInsurance], platform.now());
    const price = async () => {
      const plans: Body[] = await (await app.request('/api/insurance/products')).json();
      return plans[0]?.price;
    };
    const setPrice = (minor: number) => decidePlans(platform, { '7-days': usd(minor) });
    await setPrice(1_00);
    expect(await seed()).toEqual({ counts: { plans: 7 }, inserted: 0 });
    expect(await price()).toBe('1.00');
    await setPrice(114_00);
    expect(await price()).toBe('114.00');
  });
});

describe('POST /api/insurance/applications', () => {
  it('stores an application with its order and answers the number', async () => {
    const { status, answer, response } = await post(complete);
    expect(status).toBe(201);
    const number = String(answer.applicationNumber);
    expect(readNumber(number)).toEqual({ ok: true, number, kind: 'insurance' });
    expect(answer).toEqual({
      applicationNumber: number,
      id: expect.any(String),
      totalAmount: '149.00',
      orderReference: number,
    });
    expect(response.headers.get('set-cookie')).toContain('lale_session=');

    const { db, sealer } = platform;
    const [stored] = await db.select().from(application).where(eq(application.number, number));
    expect(stored).toMatchObject({
      kind: 'insurance',
      status: 'pending',
      service: '14-days',
      startsOn: '2026-12-12',
      countryCode: 'MEX',
      travelDocument: 'ordinary',
      amountMinor: 149_00,
      orderNumber: number,
      paidAt: null,
    });
    expect(await readInsuranceDetails(db, sealer, String(answer.id))).toMatchObject({
      passportNumber: 'G38215640',
      returnDate: '2026-12-21',
      tripDays: 10,
      coverUntil: '2026-12-25',
      isMinor: false,
      termsVersion: 1,
      cancelledAt: null,
    });
    const [line] = await db
      .select({ code: orderLine.code, detail: orderLine.detail, amount: order.amountMinor })
      .from(orderLine)
      .innerJoin(order, eq(order.id, orderLine.orderId))
      .where(eq(orderLine.applicationNumber, number));
    expect(line).toEqual({ code: 'insurance_plan', detail: '14-days', amount: 149_00 });
  });

  it('keeps no passport number in the clear', async () => {
    await post({ ...complete, passportNumber: 'X99887766' });
    const rows = await platform.db.select().from(insuranceApplication);
    for (const row of rows) {
      expect(row.passportNumber.includes('X99887766')).toBe(false);
      expect(JSON.stringify(row)).not.toContain('X99887766');
    }
  });

  it.each(['France', 'Türkiye and Greece', 7])(
    'is for Türkiye alone: refuses the destination %s and stores nothing',
    async (destination) => {
      const before = await platform.db.$count(application);
      const { status, answer } = await post({ ...complete, destination });
      expect(status).toBe(422);
      expect(answer).toMatchObject({
        errors: { destination: 'not_turkiye' },
        messages: { destination: 'Our travel insurance is for Türkiye only.' },
      });
      expect(await platform.db.$count(application)).toBe(before);
    },
  );

  it.each(['Turkey', 'türkiye', 'TUR', 'Türkei', 'تركيا', undefined, null, ''])(
    'takes the destination %s',
    async (destination) => {
      expect((await post({ ...complete, destination })).status).toBe(201);
    },
  );

  it.each(['Mexico', 'mex', 'Meksika', 'المكسيك'])(
    'takes the nationality by its name or code: %s',
    async (nationality) => {
      const { status } = await post({ ...complete, nationality, countryOfOrigin: undefined });
      expect(status).toBe(201);
    },
  );

  it('takes a country that is only in countryOfOrigin', async () => {
    const { status } = await post({ ...complete, nationality: undefined });
    expect(status).toBe(201);
  });

  it('takes the total as a number, and what it does not know in silence', async () => {
    const { status } = await post({ ...complete, totalAmount: 149, tripDurationDays: 3, more: {} });
    expect(status).toBe(201);
  });

  it('refuses another total with the right one, and stores nothing', async () => {
    const before = await applications();
    const { status, answer } = await post({ ...complete, totalAmount: '114.00' });
    expect(status).toBe(409);
    expect(answer).toMatchObject({ code: 'wrong_total', totalAmount: '149.00' });
    expect(await applications()).toBe(before);
  });

  it('names every field that is wrong, with its words', async () => {
    const { status, answer } = await post({}, { 'accept-language': 'en' });
    expect(status).toBe(422);
    expect(Object.keys(answer.errors as Body)).toEqual([
      'productId',
      'firstName',
      'lastName',
      'email',
      'phone',
      'passportNumber',
      'nationality',
      'travelDate',
      'returnDate',
      'dateOfBirth',
      'totalAmount',
    ]);
    expect(answer.messages).toMatchObject({
      productId: 'Please select an insurance product.',
      firstName: 'First name is required. Please enter your first name.',
      phone: 'Phone number is required. Enter your phone number.',
      travelDate: 'Travel date is required. Enter your travel date.',
      returnDate: 'Return date is required. Enter your return date.',
      dateOfBirth: 'Birth Date Required. Enter your date of birth.',
    });
  });

  it.each([
    [{ returnDate: '2026-12-12' }, 'returnDate', 'not_after', 'Invalid Dates.'],
    [{ productId: '7-days', totalAmount: 114 }, 'productId', 'too_short', 'shorter than your trip'],
    [{ returnDate: '2028-01-01' }, 'returnDate', 'too_long', '365 days'],
    [{ dateOfBirth: '2010-01-01' }, 'parentIdPhotos', 'required', 'Parent ID Required.'],
  ])('refuses %j', async (change, field, code, words) => {
    const { status, answer } = await post({ ...complete, ...change }, { 'accept-language': 'en' });
    expect(status).toBe(422);
    expect(answer.errors).toEqual({ [field]: code });
    expect((answer.messages as Record<string, string>)[field]).toContain(words);
  });

  it('refuses what is no object', async () => {
    expect((await post('[]')).status).toBe(400);
    expect((await post('{')).status).toBe(400);
  });

  it('makes one application of a call that is repeated with its key', async () => {
    const before = await applications();
    const key = { 'idempotency-key': 'one-and-the-same' };
    const calls = await Promise.all([post(complete, key), post(complete, key)]);
    const again = await post(complete, key);
    const numbers = [...calls, again].map(({ answer }) => answer.applicationNumber);
    expect(new Set(numbers).size).toBe(1);
    expect(await applications()).toBe(before + 1);
    const other = await post({ ...complete, email: 'other@mail.example' }, key);
    expect([other.status, other.answer.code]).toEqual([422, 'key_reused']);
  });
});

describe('api photos', async () => {
  const { applications, platform, post } = await insuranceCalls();

  const photo = async (shade?: string) => dataUrl(await jpeg(shade));
  const files = () => storedFiles(platform.config.dataDir);

  describe('photos of a parent’s ID', () => {
    it('are drawn anew, sealed and kept with the application, in order', async () => {
      const photos = [
        { name: 'mother.jpg', data: await photo('#123') },
        { name: 'father.png', dataUrl: await photo('#456') },
      ];
      const { status, answer } = await post({ ...minor, parentIdPhotos: photos });
      expect(status).toBe(201);
      const { db, sealer } = platform;
      const kept = await photosByOwner(db, sealer, { applicationId: String(answer.id) });
      expect(kept.map(({ name }) => name)).toEqual(['mother.jpg', 'father.png']);
      const file = await platform.files.read(kept[0]?.fileId ?? '');
      expect(file?.mediaType).toBe('image/jpeg');
      expect(await sharp(file?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 40 });
      expect(await readInsuranceDetails(db, sealer, String(answer.id))).toMatchObject({
        isMinor: true,
      });
    });

    it('of an adult are not kept', async () => {
      const before = files();
      const photos = [{ name: 'id.jpg', data: await photo() }];
      const { status, answer } = await post({ ...complete, parentIdPhotos: photos });
      expect(status).toBe(201);
      const { db, sealer } = platform;
      expect(await photosByOwner(db, sealer, { applicationId: String(answer.id) })).toEqual([]);
      expect(files()).toEqual(before);
    });

    it('are wanted: null and an empty list are refused', async () => {
      for (const parentIdPhotos of [null, []]) {
        const { answer } = await post({ ...minor, parentIdPhotos });
        expect(answer.errors).toEqual({ parentIdPhotos: 'required' });
      }
    });

    const good = { name: 'good.jpg', data: '' };
    const pdf = dataUrl(Buffer.from('%PDF-1.7 renamed'), 'image/jpeg');
    it.each([
      ['a renamed PDF', [{ name: 'id.jpg', data: pdf }], 'not_photo'],
      ['no data-URL at all', [{ name: 'id.jpg', data: 'http://127.0.0.1/id.jpg' }], 'empty'],
      ['no data', [{ name: 'id.jpg' }], 'empty'],
      ['no list', 'id.jpg', 'empty'],
      [
        'more than 5 MB',
        [{ name: 'wall.jpg', data: dataUrl(Buffer.alloc(5_300_000, 255)) }],
        'too_large',
      ],
      ['five photos', [good, good, good, good, good], 'too_many'],
    ])('are refused as %s, and nothing is stored', async (_, parentIdPhotos, code) => {
      const [before, stored] = [await applications(), files()];
      const first = { name: 'first.jpg', data: await photo('#9a9') };
      const sent =
        Array.isArray(parentIdPhotos) && parentIdPhotos.length === 1
          ? [first, ...parentIdPhotos]
          : parentIdPhotos;
      const { status, answer } = await post({ ...minor, parentIdPhotos: sent });
      expect(status).toBe(422);
      expect(answer.errors).toEqual({ parentIdPhotos: code });
      expect(await applications()).toBe(before);
      expect(files()).toEqual(stored);
    });

    it('name the file in the message', async () => {
      const parentIdPhotos = [{ name: 'passport of mum.pdf', data: pdf }];
      const { answer } = await post({ ...minor, parentIdPhotos }, { 'accept-language': 'en' });
      expect(answer.messages).toHaveProperty(
        'parentIdPhotos',
        'passport of mum.pdf is the wrong type of file. Choose a JPEG, PNG or WebP file.',
      );
    });
  });
});
