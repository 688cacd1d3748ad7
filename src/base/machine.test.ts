import { describe, expect, it, test } from 'vitest';
import { defineMachine } from './machine.ts';

const door = defineMachine(['shut', 'open', 'broken'], ['push', 'pull', 'kick'], {
  shut: { push: 'open', kick: 'broken' },
  open: { pull: 'shut' },
  broken: {},
});

describe('a machine', () => {
  test.each([
    ['shut', 'push', 'open'],
    ['shut', 'pull', null],
    ['shut', 'kick', 'broken'],
    ['open', 'push', null],
    ['open', 'pull', 'shut'],
    ['open', 'kick', null],
    ['broken', 'push', null],
    ['broken', 'pull', null],
    ['broken', 'kick', null],
  ] as const)('%s, %s: %s', (state, event, after) => {
    expect(door.next(state, event)).toBe(after);
  });

  it('knows what can be reached, over several steps and around circles', () => {
    expect(door.canReach('open', 'broken')).toBe(true);
    expect(door.canReach('open', 'open')).toBe(true);
    expect(door.canReach('broken', 'broken')).toBe(true);
    expect(door.canReach('broken', 'shut')).toBe(false);
  });

  it('lists its states and events in the given order', () => {
    expect(door.states).toEqual(['shut', 'open', 'broken']);
    expect(door.events).toEqual(['push', 'pull', 'kick']);
  });
});
