import { expect, test } from 'vitest';
import {
  applicationStatuses,
  statusEvents,
  statusMachine,
} from '~/features/application/status-machine.ts';
import {
  actionRefusal,
  actionRules,
  caseActionNames,
  COPY_KEY,
  isActionOffered,
} from './case-actions.ts';

const paid = applicationStatuses.map((status) => ({ status, paid: true }));

test('a decision is possible where the status can change by it', () => {
  for (const event of statusEvents) {
    for (const one of paid) {
      const next = statusMachine.next(one.status, event);
      expect(actionRefusal(event, one, 'reviewer')).toBe(next === null ? 'stale' : null);
    }
  }
});

test('before it is paid, an application can only be rejected, and its traveller be written to', () => {
  const unpaid = { status: 'pending', paid: false } as const;
  const changing = caseActionNames.filter(
    (one) => actionRules(one).claim === 'taken' || actionRules(one).undoable,
  );
  expect(changing.filter((one) => actionRefusal(one, unpaid, 'administrator') === null)).toEqual([
    'reject',
    'message',
  ]);
  expect(actionRefusal('approve', unpaid, 'administrator')).toBe('unpaid');
});

test('nothing that claims an application or decides on it is possible once it is decided', () => {
  for (const status of ['approved', 'rejected'] as const) {
    for (const one of caseActionNames.filter((name) => actionRules(name).claim === 'taken')) {
      expect(actionRefusal(one, { status, paid: true }, 'administrator')).toBe('stale');
    }
  }
});

test('a document follows the approval, and one that may be with its traveller needs a manager', () => {
  const approved = { status: 'approved', paid: true } as const;
  expect(actionRefusal('attach', { status: 'processing', paid: true }, 'manager')).toBe(
    'not_approved',
  );
  expect(actionRefusal('attach', approved, 'reviewer')).toBeNull();
  expect(actionRefusal('attach', { ...approved, hasDocument: true }, 'reviewer')).toBe('forbidden');
  expect(actionRefusal('attach', { ...approved, hasDocument: true }, 'manager')).toBeNull();
});

test('two actions share a key only where they stand in each other’s place', () => {
  const taken = [COPY_KEY, 'J', 'K', 'N', 'U', '/', '?'];
  const keys = caseActionNames.map((one) => [actionRules(one).key, one] as const);
  expect(keys.filter(([key]) => taken.includes(key) || !/^[A-Z]$/.test(key))).toEqual([]);
  const shared = [...Map.groupBy(keys, ([key]) => key).values()].filter(({ length }) => length > 1);
  expect(shared.map((pairs) => pairs.map(([, one]) => one))).toEqual([
    ['claim', 'take'],
    ['put_off', 'resume'],
    ['start_processing', 'set_reference'],
    ['correction', 'withdraw'],
  ]);
});

test('nothing of an insurance is handed to the authorities', () => {
  const pending = { status: 'pending', paid: true } as const;
  expect(isActionOffered('start_processing', { ...pending, kind: 'visa' }, 'reviewer')).toBe(true);
  expect(isActionOffered('start_processing', { ...pending, kind: 'insurance' }, 'reviewer')).toBe(
    false,
  );
  expect(isActionOffered('approve', { ...pending, kind: 'insurance' }, 'reviewer')).toBe(true);
});
