import { describe, expect, test } from 'vitest';
import { claimAt, roleOf, tellsOfSecondFactor } from './claims.ts';

const settings = {
  roleClaim: 'roles',
  roles: [
    { value: 'staff', role: 'reviewer' },
    { value: 'CN=Leads,OU=Lale', role: 'manager' },
    { value: 'owners', role: 'administrator' },
  ],
} as const;

describe('the role of the claims', () => {
  test.each([
    [['staff'], 'reviewer'],
    ['staff', 'reviewer'],
    [['owners', 'staff'], 'administrator'],
    [['staff', 'CN=Leads,OU=Lale'], 'manager'],
    [['visitors'], null],
    [['Staff'], null],
    [[], null],
    [undefined, null],
    [{ staff: true }, null],
    [[['owners']], null],
    [7, null],
  ])('%j is %s', (roles, role) => {
    expect(roleOf({ roles }, settings)).toBe(role);
  });

  test('is found at a path, and by a name that has dots', () => {
    const nested = { realm_access: { roles: ['owners'] } };
    expect(roleOf(nested, { ...settings, roleClaim: 'realm_access.roles' })).toBe('administrator');
    const named = { 'https://lale.example/roles': ['staff'] };
    expect(roleOf(named, { ...settings, roleClaim: 'https://lale.example/roles' })).toBe(
      'reviewer',
    );
  });

  test('never comes of what every object has', () => {
    expect(claimAt({}, 'constructor.name')).toBeUndefined();
    expect(claimAt({ a: 'text' }, 'a.length')).toBeUndefined();
  });
});

describe('a second factor at the provider', () => {
  test('counts in the words that the operator trusts alone', () => {
    const trusted = { amr: ['mfa', 'hwk'], acr: ['urn:two'] };
    expect(tellsOfSecondFactor({ amr: ['pwd', 'mfa'] }, trusted)).toBe(true);
    expect(tellsOfSecondFactor({ acr: 'urn:two' }, trusted)).toBe(true);
    expect(tellsOfSecondFactor({ amr: ['pwd'], acr: 'urn:one' }, trusted)).toBe(false);
    expect(tellsOfSecondFactor({}, trusted)).toBe(false);
    expect(tellsOfSecondFactor({ amr: ['mfa'], acr: '1' }, { amr: [], acr: [] })).toBe(false);
  });
});
