import { expect, test } from 'vitest';
import { inTurns, accessResult, wayName, open, openMatrix } from './matrix.ts';
import { expectedResult } from './people.ts';

const { people, ways, fields, secrets, addressesOf, ask, written } = await openMatrix();

test.each(people)('what is for everybody shows nothing to $name', async (person) => {
  await inTurns(ways, async (way) => {
    const { method, path, access } = way;
    if (!open.includes(access) || (method === 'POST' && path.includes('sign-out'))) return;
    // Those who may see the queue get it as the answer to the sign-in form.
    if (
      /^\/admin(\.data)?$/.test(path) &&
      expectedResult(person, 'view_applications') === 'allowed'
    )
      return;
    const body = await (await ask(person, way)).text();
    const found = secrets.filter((secret) => body.includes(secret));
    expect(found, wayName(way)).toEqual([]);
  });
});

test.each(people.filter(({ role }) => role !== null))(
  '$name is allowed where the table says so',
  async (person) => {
    await inTurns(ways, async (way) => {
      const { path, access, form, isFurther } = way;
      if (open.includes(access) || expectedResult(person, access) !== 'allowed') return;
      // A page is rendered once; its forms and further objects are requested as data, because rendering each time took
      // most of the time.
      const isData = path.includes('.data');
      if (path.startsWith('/tr/') || isData !== (form?.intent !== undefined)) return;
      // It ends the session of the test; `reset.test.ts` beside the page covers it.
      if (form?.intent === 'everywhere') return;
      // Emails are only stored in test mode.
      if (person.live && access === 'view_outbox') return;
      // Without an object nothing is done, and nobody is refused.
      const asked = isFurther ? { ...way, path: `${path}.data` } : way;
      const bare = form?.intent ? { ...asked, form: { intent: form.intent } } : asked;
      const response = await ask(person, bare);
      const what = `${wayName(way)} (${response.status})`;
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      if (
        path.startsWith('/admin/next') ||
        path.startsWith('/admin/undo') ||
        path.startsWith('/admin/search')
      )
        return;
      expect(await accessResult(response, body), what).toBe('allowed');
      expect(response.status, what).toBeLessThan(500);
    });
  },
);

test.each(people.filter(({ role, live }) => role !== null && !live))(
  '$name does not end somebody else’s session, nor touch their note',
  async (person) => {
    await written();
    for (const [path, intent] of [
      ['/admin/account', 'session'],
      [addressesOf('/admin/applications/:number')[0], 'edit_note'],
    ] as const) {
      if (!path) continue;
      const form = { ...fields, intent };
      await ask(person, { method: 'POST', path, access: 'view_applications', form });
    }
    const changed = await written();
    expect(changed).not.toContain('staff_session');
    expect(changed).not.toContain('desk_note');
  },
);
