import { randomUUID } from 'node:crypto';
import { ok, refused, type Outcome } from '../../src/base/outcome.ts';
import { application } from '../../src/features/application/tables.server.ts';
import { seedAll } from '../../src/features/catalog/seed.server.ts';
import { setActive } from '../../src/features/staff/accounts/accounts.server.ts';
import { allSeals } from '../../src/features/staff/audit/audit-seal.server.ts';
import { invite } from '../../src/features/staff/accounts/invitation.server.ts';
import type { Role } from '../../src/features/staff/roles.ts';
import { toStaff } from '../../src/features/staff/session.server.ts';
import type { Staff } from '../../src/features/staff/staff.ts';
import { accountByEmail, insertAccount } from '../../src/features/staff/store.server.ts';
import { schedule } from '../../src/app/jobs.server.ts';
import { hashPassword } from '../../src/platform/crypto/crypto.server.ts';
import { enqueue } from '../../src/platform/jobs/jobs.server.ts';
import type { Platform } from '../../src/platform/platform.server.ts';
import { seeders } from '../../src/app/composition/seeders.server.ts';
import { makeChance, makeRandom } from '../crash/random.ts';
import type { LivingService } from './purchases.ts';
import { storyKinds, type Colleagues, type StoryKind } from './stories.ts';
import { needed } from '../needed.ts';

/** A sequence of steps; each `yield` is the moment of the next step. */
export type Story = AsyncGenerator<Date, void>;

/**
 * Runs stories side by side in the order of time. `setClock` is called before each step; steps after `until` are not
 * run.
 */
async function runStories(
  stories: readonly Story[],
  { until, setClock }: { until: Date; setClock: (at: Date) => void },
): Promise<void> {
  const waiting: { at: Date; story: Story }[] = [];
  const goOn = async (story: Story) => {
    const next = await story.next();
    if (!next.done && next.value <= until) waiting.push({ at: next.value, story });
  };
  for (const story of stories) await goOn(story);
  let clock = 0;
  for (;;) {
    waiting.sort((a, b) => b.at.getTime() - a.at.getTime());
    const next = waiting.pop();
    if (!next) return;
    // A step that is already late runs right after the other story's.
    clock = Math.max(clock, next.at.getTime());
    setClock(new Date(clock));
    await goOn(next.story);
  }
}

const HOUR = 3600_000;
const DAY = 24 * HOUR;
const DAYS = 90;
/** Interval in which jobs are run; the service itself runs them at once. */
const ROUND = 6 * HOUR;

export type SeedOptions = {
  applications: number;
  /** For names, dates and decisions; numbers and ids are random. */
  seed: number;
  /** The end of the period. */
  now: Date;
  setClock: (at: Date) => void;
  /** Also where there are applications; new events then begin after the last sealed day of the audit trail. */
  add: boolean;
  /** Of all staff. */
  password: string;
};

/** `live`: never. `applications`, `seals`: there are some already; `add` continues after them. */
export type SeedRefusal = 'live' | 'applications' | 'seals';

/**
 * Ninety days of a desk, up to now, by the service's own rules and commands with a moved clock: travellers apply and
 * pay at the simulated providers, staff decide and refund, jobs run, and the audit trail is sealed every night.
 */
export async function seedDesk(
  service: LivingService,
  { applications, seed, now, setClock, add, password }: SeedOptions,
): Promise<Outcome<{ staff: readonly Staff[] }, SeedRefusal>> {
  const { platform } = service;
  if (platform.config.mode !== 'test') return refused('live');
  const seals = await allSeals(platform.db);
  if (!add && (await platform.db.$count(application)) > 0) return refused('applications');
  if (!add && seals.length > 0) return refused('seals');
  const sealed = seals.at(-1);
  const from = new Date(
    Math.max(
      Math.floor(now.getTime() / HOUR) * HOUR - DAYS * DAY,
      sealed ? new Date(`${sealed.day}T00:00:00Z`).getTime() + DAY : 0,
    ),
  );
  setClock(from);
  await seedAll(platform.db, seeders, from);
  const colleagues = await createStaff(platform, password);
  // From the full hour, so that a seed started a minute later makes the same desk.
  const hour = Math.floor(now.getTime() / HOUR) * HOUR;
  const tellNumber = (number: number, { name, days: [latest, earliest] }: StoryKind): Story => {
    const chance = makeChance(makeRandom(seed * 100_003 + number));
    const kinds = storyKinds(service, { chance, number }, colleagues);
    const begin = hour - chance.between(latest, earliest) * DAY;
    const kind = needed(kinds.find((one) => one.name === name));
    return kind.tell(new Date(Math.max(begin, from.getTime())));
  };
  const chance = makeChance(makeRandom(seed));
  const kinds = choose(storyKinds(service, { chance, number: 0 }, colleagues), applications);
  const stories = kinds.map((kind, index) => tellNumber(index + 1, kind));
  await runStories([passTime(service, from), ...stories], { until: now, setClock });
  setClock(now);
  await service.runJobs();
  return ok({ staff: [...colleagues.reviewers, colleagues.manager, colleagues.administrator] });
}

/** As many stories of each kind as make that many applications: at least one of each, unless there are too few. */
function choose(kinds: readonly StoryKind[], applications: number): StoryKind[] {
  const all = kinds.reduce((sum, kind) => sum + kind.share * kind.applications, 0);
  const byShare = kinds.toSorted((a, b) => b.share - a.share);
  const chosen = byShare.flatMap((kind) => {
    const count = Math.max(1, Math.round((kind.share * applications) / all));
    return Array.from({ length: count }, () => kind);
  });
  const made = () => chosen.reduce((sum, kind) => sum + kind.applications, 0);
  const usual = needed(byShare[0]);
  while (made() < applications) chosen.push(usual);
  while (made() > applications) {
    const isSpare = chosen.filter((kind) => kind === usual).length > 1;
    chosen.splice(isSpare ? chosen.indexOf(usual) : -1, 1);
  }
  return chosen;
}

/** What the service does automatically: jobs all day, and recurring ones at night. */
async function* passTime(service: LivingService, from: Date): Story {
  const { db, now } = service.platform;
  let night = Math.floor(from.getTime() / DAY);
  for (;;) {
    yield new Date(now().getTime() + ROUND);
    const today = Math.floor(now().getTime() / DAY);
    if (today > night) {
      for (const { name, payload } of schedule) await enqueue(db, name, payload);
      night = today;
    }
    await service.runJobs();
  }
}

const people: readonly (readonly [name: string, email: string, role: Role])[] = [
  ['E. Aydın', 'e.aydin@lale.example', 'reviewer'],
  ['M. Öztürk', 'm.ozturk@lale.example', 'reviewer'],
  ['J. Weber', 'j.weber@lale.example', 'reviewer'],
  ['S. Kaya', 's.kaya@lale.example', 'manager'],
  ['D. Yılmaz', 'd.yilmaz@lale.example', 'administrator'],
  ['B. Şahin', 'b.sahin@lale.example', 'reviewer'],
];

/** Creates staff: those who work here, a deactivated one, and an invited one. */
async function createStaff(
  platform: Platform,
  password: string,
): Promise<Colleagues & { administrator: Staff }> {
  const { db, now } = platform;
  const passwordHash = await hashPassword(password);
  const staff: Staff[] = [];
  for (const [name, email, role] of people) {
    const row = { id: randomUUID(), email, name, role, passwordHash, createdAt: now() };
    if (!(await accountByEmail(db, email))) await insertAccount(db, row);
    staff.push(toStaff(needed(await accountByEmail(db, email))));
  }
  const named = (index: number) => needed(staff[index]);
  const administrator = named(4);
  const left = await setActive(platform, administrator, named(5).id, false);
  if (!left.ok) throw new Error(left.error);
  const invited = await invite(platform, administrator, {
    email: 'c.demir@lale.example',
    name: 'C. Demir',
    role: 'manager',
    language: 'tr',
  });
  if (!invited.ok) throw new Error(invited.error);
  return { reviewers: [named(0), named(1), named(2)], manager: named(3), administrator };
}
