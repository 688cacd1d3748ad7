import { describe, expect, test } from 'vitest';
import { callAccess, formAccess, pageAccess } from './access-table.ts';
import { routeIntents } from './intents.ts';
import { inTurns, accessResult, wayName, openMatrix, type Way } from './matrix.ts';
import { expectedResult, type AccessResult, type MatrixPerson } from './people.ts';

const { apps, people, pages, calls, ways, secrets, ask, written, newEntries } = await openMatrix();

/** Whether a refused form is answered by a page that this person may open. */
const mayRead = (person: MatrixPerson, { shown }: Way): boolean =>
  shown !== undefined && expectedResult(person, shown) === 'allowed';

async function expectRefused(person: MatrixPerson, way: Way, expected: AccessResult) {
  const response = await ask(person, way);
  const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const what = `${person.name}: ${wayName(way)} (${response.status})`;
  // Without a session the desk's own address shows the sign-in form.
  const isForm = /^(\/tr)?\/admin(\.data)?(\?|$)/.test(way.path) && expected === 'sign in';
  if (!isForm) expect(await accessResult(response, body), what).toBe(expected);
  const found = mayRead(person, way) ? [] : secrets.filter((secret) => body.includes(secret));
  expect(found, what).toEqual([]);
  expect(response.headers.get('content-type') ?? '', what).not.toMatch(/pdf|image|csv/);
}

describe('the table', () => {
  test('names every page of the desk, and no other', () => {
    expect(Object.keys(pageAccess).toSorted()).toEqual(
      [...new Set(pages.map(({ pattern }) => pattern))].toSorted(),
    );
  });

  test('names every call of the staff, and no other', () => {
    expect(Object.keys(callAccess).toSorted()).toEqual([...new Set(calls)].toSorted());
  });

  test.each(pages)('names every form of $pattern, and no other', ({ pattern, file }) => {
    expect(Object.keys(formAccess[pattern] ?? {}).toSorted()).toEqual(
      [...routeIntents(file)].toSorted(),
    );
  });
});

/** Tables in which the refusal of somebody signed in is recorded. */
const noting = ['audit_entry', 'desk_look', 'rate_limit'];
const refusing: AccessResult[] = ['refused', 'second factor'];

test.each(people)(
  '$name reads and changes nothing that is not for them',
  { timeout: 180_000 },
  async (person) => {
    const closed = ways.filter(
      ({ access }) =>
        expectedResult(person, access) !== 'allowed' && access !== 'moves' && access !== 'none',
    );
    const refuse = (some: readonly Way[]) =>
      inTurns(some, (way) => expectRefused(person, way, expectedResult(person, way.access)));
    const refused = closed.length;
    const changed = async () => (await written()).filter((table) => !noting.includes(table));
    await written();
    const hidden = closed.filter((way) => !mayRead(person, way));
    const entries = await newEntries();
    await refuse(hidden);
    expect(await changed()).toEqual([]);
    // Only the refusal of somebody signed in is recorded.
    const recorded = await entries();
    const isRefused = hidden.some((way) => refusing.includes(expectedResult(person, way.access)));
    expect(recorded.every(({ action }) => action === 'access_refused')).toBe(true);
    expect(recorded.length > 0).toBe(isRefused);
    expect(new Set(recorded.map(({ staffId }) => staffId)).size).toBe(isRefused ? 1 : 0);

    // Those who may open the page get it with the refusal: only the view is recorded.
    await refuse(closed.filter((way) => mayRead(person, way)));
    expect(await changed()).toEqual([]);
    const isWhole = person.role === 'administrator' && (!person.live || person.factor);
    expect(refused > 0).toBe(!isWhole);
  },
);

test.each(['/api/admin/anything', '/api/admin/applications/x/y', '/api/admin'])(
  '%s answers nobody with 401, whether it exists or not',
  async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await apps.test.request(path, { method });
      expect(response.status).toBe(401);
    }
  },
);
