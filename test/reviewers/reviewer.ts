import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CaseAction } from '~/features/desk/application/case-actions.ts';
import { goodPdf } from '~/features/desk/application/testing/case-store.server.ts';
import { makeChance } from '../crash/random.ts';

/** Longer than any page takes on a busy machine. */
const ANSWER_MS = 60_000;
/** Longest pause before an undo, in milliseconds: some come when its author's ten seconds are over. */
const MAX_HESITATION_MS = 12_000;

/** What the service said it has done. */
export type Effect = {
  number: string;
  action: CaseAction | 'undo';
  staffId: string;
  /** The same for what was sent twice. */
  key: string;
  /** Of `start_processing` and `set_reference`. */
  reference?: string;
  /** Of `reject`. */
  code?: string;
};

export type Shift = {
  address: string;
  random: () => number;
  isOver: () => boolean;
  effects: Effect[];
  /** Answers that no reviewer may get. */
  failures: string[];
  /** What one has open, the other may open as well. */
  open: Map<string, string>;
  /** The newest decision of one person about an application, that page and key would undo. */
  newestDecision: (staffId: string, number: string) => Promise<string | null>;
};

type Answer = { status: number; location: string };

/** A way of working: from which list, how often, and what is done with the case that comes. */
type Habit = { list: string; share: number; does: (number: string) => Promise<unknown> };

/** Somebody who works at the desk's pages by their forms, as a browser without scripts does. */
export class Reviewer {
  readonly #id: string;
  readonly #cookie: string;
  readonly #shift: Shift;
  /** Refused because a colleague was first, or somebody has it. */
  refusals = 0;
  readonly #chance: ReturnType<typeof makeChance>;
  #references = 0;

  constructor({ id, cookie }: { id: string; cookie: string }, shift: Shift) {
    this.#id = id;
    this.#cookie = cookie;
    this.#shift = shift;
    this.#chance = makeChance(shift.random);
  }

  async work(): Promise<void> {
    while (!this.#shift.isOver()) {
      const habit = this.#choose();
      const number = await this.#open(habit.list);
      if (number === null) {
        await sleep(100);
        continue;
      }
      await habit.does(number);
      if (this.#chance.between(0, 1) < 0.2) await this.#hesitateAndUndo(number);
    }
  }

  #choose(): Habit {
    let left = this.#chance.between(
      0,
      this.#habits.reduce((sum, { share }) => sum + share, 0),
    );
    for (const habit of this.#habits) {
      left -= habit.share;
      if (left < 0) return habit;
    }
    throw new Error('No habit');
  }

  readonly #habits: readonly Habit[] = [
    { list: 'hand_in', share: 40, does: (number) => this.#handIn(number) },
    { list: 'hand_in', share: 10, does: (number) => this.#reject(number, 'pending') },
    { list: 'hand_in', share: 4, does: (number) => this.#approve(number, 'pending', true) },
    { list: 'hand_in', share: 5, does: (number) => this.#ask(number) },
    { list: 'hand_in', share: 5, does: (number) => this.#putOff(number) },
    { list: 'hand_in', share: 5, does: (number) => this.#note(number) },
    {
      list: 'at_authority',
      share: 40,
      does: (number) => this.#approve(number, 'processing', true),
    },
    {
      list: 'at_authority',
      share: 8,
      does: (number) => this.#approve(number, 'processing', false),
    },
    { list: 'at_authority', share: 8, does: (number) => this.#reject(number, 'processing') },
    { list: 'at_authority', share: 12, does: (number) => this.#refer(number) },
    { list: 'at_authority', share: 5, does: (number) => this.#putOff(number) },
    { list: 'at_authority', share: 5, does: (number) => this.#take(number) },
    { list: 'to_deliver', share: 12, does: (number) => this.#attach(number) },
    { list: 'put_off', share: 5, does: (number) => this.#resume(number) },
    { list: 'action_required', share: 5, does: (number) => this.#withdraw(number) },
  ];

  /**
   * The next case of a list, or one in seven times the one that the colleague works on. What waits is nobody's next one: it
   * is chosen from its list.
   */
  async #open(list: string): Promise<string | null> {
    const { open } = this.#shift;
    const theirs = [...open].find(([who]) => who !== this.#id)?.[1];
    const found =
      list === 'put_off' || list === 'action_required'
        ? await this.#listed(list)
        : theirs && this.#chance.between(0, 1) < 0.15
          ? theirs
          : await this.#next(list);
    if (found !== null) open.set(this.#id, found);
    return found;
  }

  async #next(list: string): Promise<string | null> {
    const form = { list: `show=${list}`, not: this.#shift.open.get(this.#id) ?? '' };
    let { location } = await this.#post('/admin/next', form);
    if (location.includes('none=round'))
      ({ location } = await this.#post('/admin/next', { ...form, again: '' }));
    return numberIn(location);
  }

  async #listed(list: string): Promise<string | null> {
    const page = await this.#read(`/admin?show=${list}`);
    const numbers = [...page.matchAll(/data-number="(\w+)"/g)].flatMap(([, one]) => one ?? []);
    return numbers[this.#chance.whole(0, Math.max(0, numbers.length - 1))] ?? null;
  }

  async #handIn(number: string): Promise<void> {
    await this.#read(`/admin/applications/${number}/copy`);
    const reference = this.#newReference();
    const form = { seen: 'pending', authorityReference: reference, after: 'next' };
    await this.#act(number, 'start_processing', form, { reference });
  }

  async #refer(number: string): Promise<void> {
    const reference = this.#newReference();
    await this.#act(number, 'set_reference', { authorityReference: reference }, { reference });
  }

  #newReference(): string {
    this.#references += 1;
    return `TR-${this.#id.slice(0, 4).toUpperCase()}/${this.#references}`;
  }

  #putOff(number: string): Promise<void> {
    const end = this.#chance.oneOf(['hours', 'opening', 'week', 'reply']);
    return this.#act(number, 'put_off', { put_off_reason: 'later', put_off_end: end });
  }

  async #resume(number: string): Promise<void> {
    await this.#act(number, 'resume', {});
  }

  async #ask(number: string): Promise<void> {
    const note = 'Please add the number of the house.';
    await this.#act(number, 'correction', { 'reopen-address': 'yes', note });
  }

  async #withdraw(number: string): Promise<void> {
    await this.#act(number, 'withdraw', {});
  }

  async #take(number: string): Promise<void> {
    await this.#act(number, 'take', {});
  }

  async #note(number: string): Promise<void> {
    const about = randomUUID();
    await this.#act(number, 'note', { about, [`note-${about}`]: 'Called the traveller.' });
  }

  async #approve(number: string, seen: string, hasPdf: boolean): Promise<void> {
    const form = { seen, ...(hasPdf && { document: this.#pdf(number) }) };
    await this.#decide(number, 'approve', form);
  }

  async #attach(number: string): Promise<void> {
    await this.#decide(number, 'attach', { document: this.#pdf(number) });
  }

  async #reject(number: string, seen: string): Promise<void> {
    const code = this.#chance.oneOf(
      seen === 'pending'
        ? ['passport_unreadable', 'details_differ', 'duplicate', 'withdrawn']
        : ['authorities_refused'],
    );
    await this.#decide(number, 'reject', { seen, reasonCode: code }, code);
  }

  #pdf(number: string): File {
    const bytes = goodPdf(`Visa ${number} ${randomUUID()}`);
    return new File([new Uint8Array(bytes)], 'evisa.pdf', { type: 'application/pdf' });
  }

  /** Opens the email and the PDF, and sends them; one in six times twice at the same moment, as an impatient person does. */
  async #decide(
    number: string,
    action: 'approve' | 'attach' | 'reject',
    form: Record<string, string | File>,
    code?: string,
  ): Promise<void> {
    const asked = await this.#post(`/admin/applications/${number}`, { intent: action, ...form });
    const draft = /\/decision\/[\w-]+/.exec(asked.location)?.[0];
    if (!draft) return this.#refused();
    const path = `/admin/applications/${number}${draft}`;
    await this.#read(path);
    const send = { compared: 'yes', duplicates: 'yes', after: 'next' };
    await this.#repeat(async () => {
      const { status } = await this.#post(path, send);
      // Each one that is answered so is an effect of its own: that there is one is what the drill is about.
      if (isRedirect(status)) this.#record({ number, action, key: randomUUID(), code });
      else this.#refused();
    });
  }

  async #hesitateAndUndo(number: string): Promise<void> {
    const decision = await this.#shift.newestDecision(this.#id, number);
    if (decision === null) return;
    if (this.#chance.between(0, 1) < 0.3) await sleep(this.#chance.whole(0, MAX_HESITATION_MS));
    await this.#repeat(async () => {
      const { location } = await this.#post('/admin/undo', { decision, list: '' });
      if (location.includes('done=undone')) this.#record({ number, action: 'undo', key: decision });
      else this.#refused();
    });
  }

  async #act(
    number: string,
    action: CaseAction,
    form: Record<string, string>,
    more: Pick<Effect, 'reference'> = {},
  ): Promise<void> {
    const key = randomUUID();
    await this.#repeat(async () => {
      const { status } = await this.#post(`/admin/applications/${number}`, {
        intent: action,
        ...form,
      });
      if (isRedirect(status)) this.#record({ number, action, key, ...more });
      else this.#refused();
    });
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    const isTwice = this.#chance.between(0, 1) < 0.16;
    await Promise.all(isTwice ? [work(), work()] : [work()]);
  }

  #record(effect: Omit<Effect, 'staffId'>): void {
    this.#shift.effects.push({ ...effect, staffId: this.#id });
  }

  #refused(): void {
    this.refusals += 1;
  }

  async #post(path: string, fields: Record<string, string | File>): Promise<Answer> {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const response = await this.#call(path, { method: 'POST', body });
    return { status: response.status, location: response.headers.get('location') ?? '' };
  }

  async #read(path: string): Promise<string> {
    return (await this.#call(path, {})).text();
  }

  async #call(path: string, init: RequestInit): Promise<Response> {
    const { address, failures } = this.#shift;
    const response = await fetch(address + path, {
      ...init,
      headers: { cookie: this.#cookie, origin: address },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const isSignedOut = (response.headers.get('location') ?? '').includes('next=');
    // A busy service says so, and has done nothing.
    const isFailure = response.status >= 500 && response.status !== 503;
    if (isFailure || isSignedOut)
      failures.push(`${init.method ?? 'GET'} ${path}: ${response.status}`);
    return response;
  }
}

const isRedirect = (status: number) => status >= 300 && status < 400;

const numberIn = (location: string) => /applications\/(TR\w+)/.exec(location)?.[1] ?? null;
