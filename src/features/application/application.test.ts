import { randomUUID } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import fc from 'fast-check';
import { firstOffice } from '~/base/dates/office.ts';
import {
  emailById,
  insertEmail,
  markSent,
  storeContent,
} from '~/features/email/ledger/store.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { makeApplication } from '../../../test/make.ts';
import {
  applicationStatuses,
  isFinal,
  paymentStatus,
  statusEvents,
  statusMachine,
  type ApplicationStatus,
  type StatusEvent,
} from './status-machine.ts';
import { skippedClosedDays, skippedDays } from './skipped-days.ts';
import { isMissed } from './promised.ts';
import { emailRecipient } from './recipient.ts';
import { fullName, listedName } from './full-name.ts';
import { isRespelt, machineReadable } from './machine-readable.ts';
import { latinText, name, place } from './texts.ts';
import {
  deleteApplicationEmails,
  applicationEmails,
  emailWithApplications,
  linkEmail,
} from './change-email.server.ts';

/** Status, event, what it becomes. */
const table: readonly [ApplicationStatus, StatusEvent, ApplicationStatus | null][] = [
  ['pending', 'start_processing', 'processing'],
  ['pending', 'approve', 'approved'],
  ['pending', 'reject', 'rejected'],
  ['processing', 'start_processing', null],
  ['processing', 'approve', 'approved'],
  ['processing', 'reject', 'rejected'],
  ['approved', 'start_processing', null],
  ['approved', 'approve', null],
  ['approved', 'reject', null],
  ['rejected', 'start_processing', null],
  ['rejected', 'approve', null],
  ['rejected', 'reject', null],
];

describe('an application', () => {
  test.each(table)('%s, %s: %s', (status, event, after) => {
    expect(statusMachine.next(status, event)).toBe(after);
  });

  it('has every status and event in the table above', () => {
    expect(table).toHaveLength(applicationStatuses.length * statusEvents.length);
  });

  it('stays approved or rejected for good, and never falls back to pending', () => {
    for (const from of applicationStatuses) {
      for (const to of applicationStatuses) {
        if (isFinal(from)) expect(statusMachine.canReach(from, to)).toBe(from === to);
        if (from !== 'pending') expect(statusMachine.canReach(from, 'pending')).toBe(false);
      }
    }
    expect(applicationStatuses.filter(isFinal)).toEqual(['approved', 'rejected']);
  });
});

describe('its payment status', () => {
  test.each([
    [false, false, 'pending'],
    [false, true, 'failed'],
    [true, false, 'completed'],
    [true, true, 'completed'],
  ])('order paid: %s, newest attempt failed: %s: %s', (paid, latestAttemptFailed, status) => {
    expect(paymentStatus({ paid, latestAttemptFailed })).toBe(status);
  });
});

const paidAt = new Date('2026-11-23T10:00:00Z');
const office = { ...firstOffice, closures: [{ from: '2026-11-25', to: '2026-11-26' }] };
const at = (day: number) => new Date(`2026-11-${day}T12:00:00Z`);
const days = [{ why: 'office', first: '2026-11-25', last: '2026-11-26' }];

it.each([
  ['a promise behind them', { promisedAt: at(27), pausedAt: null }, days],
  ['a promise before them', { promisedAt: at(24), pausedAt: null }, []],
  ['no promise', { promisedAt: null, pausedAt: null }, []],
  ['a promise that waits for the traveller', { promisedAt: at(27), pausedAt: at(24) }, []],
])('%s skips the closed days accordingly', (_, promise, skipped) => {
  expect(skippedDays(promise, paidAt, office)).toMatchObject(skipped);
  expect(skippedDays(promise, paidAt, office)).toHaveLength(skipped.length);
});

it('of promises paid together the latest that is still to be kept counts', () => {
  const early = { promisedAt: at(24), decidedAt: null, skipped: [] };
  const late = {
    promisedAt: at(27),
    decidedAt: null,
    skipped: skippedDays({ promisedAt: at(27), pausedAt: null }, paidAt, office),
  };
  expect(skippedClosedDays([early, late])).toBe(late.skipped);
  expect(skippedClosedDays([late, early])).toBe(late.skipped);
  expect(skippedClosedDays([early, { ...late, decidedAt: at(24) }])).toEqual([]);
  expect(skippedClosedDays([early, { ...late, promisedAt: null }])).toEqual([]);
  expect(skippedClosedDays([])).toEqual([]);
});

const order = {
  customerEmail: 'anna@mail.example',
  customerName: 'Anna Nkosi',
  language: 'de',
  createdAt: new Date('2026-11-22T23:00:00Z'),
  paidAt: new Date('2026-11-23T10:00:00Z') as Date | null,
};
const application = {
  email: 'bela@mail.example',
  firstName: 'Bela',
  lastName: 'Nkosi',
  language: 'en',
  dateOfBirth: '1986-01-30',
  travellerPosition: 2,
};
const TRAVELLER = {
  to: 'bela@mail.example',
  name: 'Bela Nkosi',
  isChild: false,
  language: 'en',
  onBehalfOf: null,
};
const PAYER = {
  to: 'anna@mail.example',
  name: 'Anna Nkosi',
  isChild: false,
  language: 'de',
  onBehalfOf: 'Bela Nkosi',
};
const first = { ...application, travellerPosition: 1 };

describe('about one application we write to', () => {
  test.each([
    ['an adult with an address of their own', {}, TRAVELLER],
    ['the payer about an adult with the payer’s address', { email: 'anna@mail.example' }, PAYER],
    ['the payer about the payer’s address in other letters', { email: 'Anna@Mail.example' }, PAYER],
    ['the payer about a child with an address of their own', { dateOfBirth: '2015-02-03' }, PAYER],
    ['the payer about who is 18 a day after payment', { dateOfBirth: '2008-11-24' }, PAYER],
    ['a traveller who is 18 on the day of payment', { dateOfBirth: '2008-11-23' }, TRAVELLER],
    ['the first traveller at any address, as themselves', { travellerPosition: 1 }, TRAVELLER],
    [
      'the parent of a first traveller who is a child',
      { travellerPosition: 1, dateOfBirth: '2015-02-03' },
      { ...TRAVELLER, isChild: true, onBehalfOf: 'Bela Nkosi' },
    ],
  ])('%s', (_, changes, expected) => {
    expect(emailRecipient({ ...application, ...changes }, order, first)).toEqual(expected);
  });

  test('the parent of a child who pays, about whoever travels along', () => {
    const along = { ...application, email: 'anna@mail.example' };
    const child = { ...first, dateOfBirth: '2015-02-03' };
    expect(emailRecipient(along, order, child)).toEqual({ ...PAYER, isChild: true });
  });

  test('a child by the day of the order while that is not paid', () => {
    const young = { ...application, dateOfBirth: '2008-11-23' };
    expect(emailRecipient(young, { ...order, paidAt: null }, first)).toEqual(PAYER);
  });
});

it.each([
  ['Thandi', 'Nkosi', 'Thandi Nkosi'],
  ['Suharto', 'Suharto', 'Suharto'],
  ['', 'Suharto', 'Suharto'],
  [' Thandi ', ' Nkosi', 'Thandi Nkosi'],
  ['Suharto ', 'Suharto', 'Suharto'],
  ['', '', ''],
])('of %j and %j is %j', (firstName, lastName, name) => {
  expect(fullName({ firstName, lastName })).toBe(name);
});

it('is empty before there are any answers', () => {
  expect(fullName({})).toBe('');
});

it('is written once in lists, too, where it is a single name', () => {
  expect(listedName({ firstName: 'Thandi', lastName: 'Nkosi' })).toBe('Nkosi, Thandi');
  expect(listedName({ firstName: 'Suharto', lastName: 'Suharto' })).toBe('Suharto');
});

const text = (name: string) => {
  const read = machineReadable(name);
  return read.ok ? read.text : read.error;
};

describe('a name in the machine-readable lines', () => {
  test.each([
    ['Hernández Ruiz', 'HERNANDEZ RUIZ'],
    ['Sofía', 'SOFIA'],
    ['Müller-Lüdenscheidt', 'MUELLER LUEDENSCHEIDT'],
    ['Núñez', 'NUNEZ'],
    ['Strauß', 'STRAUSS'],
    ['Åse Bjørnson', 'AASE BJOERNSON'],
    ['Þórsdóttir', 'THORSDOTTIR'],
    ['Łukasz Đorđević', 'LUKASZ DORDEVIC'],
    ['Nguyễn Thị Hương', 'NGUYEN THI HUONG'],
    ['İbrahim Işık', 'IBRAHIM ISIK'],
    ['ıldız', 'ILDIZ'],
    ["O'Connor", 'OCONNOR'],
    ['D’Souza', 'DSOUZA'],
    ['  Anna   Maria  ', 'ANNA MARIA'],
    ['Smith‐Jones', 'SMITH JONES'],
    ['Jr.', 'JR'],
    ['Raj a/l Kumar', 'RAJ A L KUMAR'],
    ['KAILASH S/O TEJAS', 'KAILASH S O TEJAS'],
    ['Devi A／P Rao', 'DEVI A P RAO'],
    ['Siti binti Ali @ Ahmad', 'SITI BINTI ALI AHMAD'],
    ['Col·lell', 'COLLELL'],
    ['Coŀlell', 'COLLELL'],
    ['Col‧lell', 'COLLELL'],
    ['ＷＡＮＧ', 'WANG'],
    ['Ｊｏｈｎ・Ｓｍｉｔｈ', 'JOHN SMITH'],
    ['ʿAbd al-Raḥmān', 'ABD AL RAHMAN'],
    ['Naʾila', 'NAILA'],
    ['O´Brien', 'OBRIEN'],
    ['O＇Brien', 'OBRIEN'],
    ['ﬁona', 'FIONA'],
    ['Mª José', 'MA JOSE'],
    ['', ''],
    ['Ma\u0308rz', 'MAERZ'],
  ])('%s is %s', (name, expected) => expect(text(name)).toBe(expected));

  test.each(['مريم', 'Мария', '王', 'Иvan', 'Σοφία', 'न'])('%s has no Latin letters', (name) =>
    expect(text(name)).toBe('not_latin'),
  );
  test.each(['Ɗanjuma', 'Ɔkɔ', 'Ɛ'])('%s has Latin letters that lines do not print', (name) =>
    expect(text(name)).toBe('not_printed'),
  );
  test.each(['R2D2', 'Anna & Bo', 'a@b', '@ Bo', '٣'])(
    '%s has characters that no name has',
    (name) => expect(text(name)).toBe('characters'),
  );

  it('is made of A to Z and single spaces, and does not change when read again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const read = machineReadable(name);
        if (!read.ok) return;
        expect(read.text).toMatch(/^([A-Z]+( [A-Z]+)*)?$/);
        expect(machineReadable(read.text)).toEqual(read);
      }),
    );
  });
});

describe('respelling', () => {
  test.each(['Sofía', 'Müller', 'ß'])('%s wants comparing', (name) =>
    expect(isRespelt(name)).toBe(true),
  );
  test.each(['Sofia', 'O’Connor', 'Smith-Jones', 'Raj a/l Kumar', 'ＷＡＮＧ', '', 'مريم'])(
    '%s does not',
    (name) => expect(isRespelt(name)).toBe(false),
  );
});

test.each([
  ['  Ana\tMaria ', 'Ana Maria'],
  ['Ana\r\nMaria', 'Ana Maria'],
  ['Al\u00a0Hasan', 'Al Hasan'],
  ['\u202eMary\u200b\u00adAnn', 'MaryAnn'],
])('of %j one line is kept, without what nobody sees', (typed, kept) => {
  expect(name(1, 60).parse(typed)).toBe(kept);
  expect(place(2, 60).parse(typed)).toBe(kept);
});

test('an address keeps its lines', () => {
  expect(latinText(10, 300).parse('12\tMarine  Parade \r\n 4001\u200e Durban')).toBe(
    '12 Marine Parade\n4001 Durban',
  );
});

describe('email store', async () => {
  const platform = await makeTestPlatform();
  const { db, sealer, now } = platform;

  async function store(applicationIds: string[], about: string = randomUUID()): Promise<string> {
    const { id } = await insertEmail(db, { kind: 'received', about, createdAt: now() });
    await linkEmail(db, id, applicationIds);
    return id;
  }

  const cases = async () => {
    const [one, other] = [await makeApplication(platform), await makeApplication(platform)];
    return [one.id, other.id] as const;
  };

  describe('an e-mail about several applications', () => {
    test('is stored once, and linked to each', async () => {
      const [one, other] = await cases();
      const about = randomUUID();
      const ids = await Promise.all([1, 2, 3].map(() => store([one, other], about)));
      expect(new Set(ids).size).toBe(1);
      const [id = ''] = ids;
      for (const each of [one, other]) {
        expect(await applicationEmails(db, sealer, each)).toMatchObject([
          { id, about, kind: 'received' },
        ]);
      }
      const found = await emailWithApplications(db, sealer, id);
      expect(found?.applicationIds.toSorted()).toEqual([one, other].toSorted());
    });

    test('loses its content with the last of them, and stays recorded as sent', async () => {
      const [one, other] = await cases();
      const id = await store([one, other]);
      await storeContent(db, sealer, id, { to: 'a@example.org', subject: 'Hello', body: null });
      await markSent(db, id, now());
      await db.transaction((tx) => deleteApplicationEmails(tx, [one]));
      expect(await applicationEmails(db, sealer, one)).toEqual([]);
      expect(await applicationEmails(db, sealer, other)).toMatchObject([
        { content: { subject: 'Hello' } },
      ]);
      await db.transaction((tx) => deleteApplicationEmails(tx, [other]));
      expect(await emailById(db, sealer, id)).toMatchObject({ content: null, sentAt: now() });
    });
  });
});

describe('a missed promise', () => {
  const moment = fc.integer({ min: 0, max: 20 }).map((minutes) => new Date(minutes * 60_000));
  const perhaps = fc.option(moment);
  const facts = fc.record({
    promisedAt: perhaps,
    decidedAt: perhaps,
    pausedAt: perhaps,
    undeliveredSince: perhaps,
  });

  test('is one that passed while we could have kept it: undecided or undelivered, and not waiting for the traveller', () => {
    fc.assert(
      fc.property(facts, moment, (one, now) => {
        // Minute by minute: the moment is missed in the first one after it in which the traveller waits for us.
        const minutes = Array.from({ length: now.getTime() / 60_000 + 1 }, (_, at) => at * 60_000);
        const isPast = (at: Date | null, time: number) => at !== null && at.getTime() < time;
        const isWaiting = (time: number) =>
          one.undeliveredSince !== null ||
          (one.decidedAt ? !isPast(one.decidedAt, time) : !isPast(one.pausedAt, time));
        const expected = minutes.some((time) => isPast(one.promisedAt, time) && isWaiting(time));
        expect(isMissed(one, now)).toBe(expected);
      }),
    );
  });
});
