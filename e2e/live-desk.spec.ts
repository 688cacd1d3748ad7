import { storeTeam } from './desk-seed.ts';
import { expect, expectAccessible, signedInPage, test, type Page } from './lale.ts';

/** Looking is not taking: a press is. */
async function takeThis(page: Page) {
  await page.getByRole('button', { name: 'Take this one' }).click();
  await expect(page.getByText('You’re now working on this application.')).toBeVisible();
}

test('an open application says who took it over, keeps what was typed and the focus, and what is new', async ({
  browser,
  baseURL,
}) => {
  const { clerk, manager, application } = await storeTeam();
  const { number } = application;
  const mine = await signedInPage(await browser.newContext(), clerk.cookie, baseURL);
  await mine.goto(`/admin/applications/${number}`);
  await takeThis(mine);
  await mine.getByRole('link', { name: 'Reject…' }).click();
  const words = mine.getByRole('textbox', { name: 'In your own words' });
  await words.fill('The scan is cut off.');
  await expect(words).toBeFocused();

  const theirs = await signedInPage(await browser.newContext(), manager.cookie, baseURL);
  await theirs.goto(`/admin/applications/${number}`);
  await theirs.getByRole('button', { name: 'Take over' }).click();
  await expect(theirs.getByText('You’re now working on this application.')).toBeVisible();

  // It hears of it by itself.
  await expect(
    mine.getByRole('dialog').getByText('S. Kaya has taken over this application'),
  ).toBeVisible();
  await expect(mine.getByTestId('live-news')).toHaveText(
    'S. Kaya has taken over this application.',
  );
  await expect(words).toBeFocused();
  await expect(words).toHaveValue('The scan is cut off.');
  await expectAccessible(mine);
  const send = mine.getByRole('dialog').getByRole('button', { name: 'Preview the email' });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await send.click({ force: true });
  await expect(words).toHaveValue('The scan is cut off.');
  expect(mine.url()).toContain(`/admin/applications/${number}`);

  await theirs.getByRole('textbox', { name: 'New note, for staff only' }).fill('I have it.');
  await theirs.getByRole('button', { name: 'Add the note' }).click();
  await expect(theirs.getByRole('paragraph').filter({ hasText: 'I have it.' })).toBeAttached();
  await expect(mine.getByText('I have it.')).toBeAttached();
  await expect(words).toHaveValue('The scan is cut off.');

  // Signed out elsewhere: the page says so, stops asking, and keeps what was typed.
  const other = await mine.context().newPage();
  await other.goto('/admin');
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other.locator('[name="password"]')).toBeVisible();
  await theirs.getByRole('textbox', { name: 'New note, for staff only' }).fill('Still there?');
  await theirs.getByRole('button', { name: 'Add the note' }).click();
  await expect(
    mine.getByRole('dialog').getByText('You are signed out', { exact: true }),
  ).toBeVisible();
  await expect(words).toHaveValue('The scan is cut off.');
  let asked = 0;
  mine.on('request', (request) => {
    if (request.url().includes('/admin/live')) asked += 1;
  });
  await theirs.getByRole('textbox', { name: 'New note, for staff only' }).fill('Bye.');
  await theirs.getByRole('button', { name: 'Add the note' }).click();
  await expect(theirs.getByRole('paragraph').filter({ hasText: 'Bye.' })).toBeAttached();
  expect(asked).toBe(0);
});

test('the queue in several tabs hears of a colleague’s work; a page out of sight and one without a stream catch up', async ({
  browser,
  baseURL,
}) => {
  const { clerk, manager, application } = await storeTeam();
  const { number, email } = application;
  const row = (page: Page) => page.locator(`tr[data-number="${number}"]`);
  /** A list with this application alone, whatever else is in the queue. */
  const openList = async (page: Page) => {
    await page.goto('/admin');
    await page.locator('#search').fill(email);
    await page.locator('#search').press('Enter');
    await expect(row(page)).toBeVisible();
  };
  const context = await browser.newContext();
  const tabs = [
    await signedInPage(context, clerk.cookie, baseURL),
    await signedInPage(context, clerk.cookie, baseURL),
  ];
  for (const tab of tabs) {
    const streams = tab.waitForRequest((request) => request.url().includes('/admin/live/events'));
    await openList(tab);
    await streams;
  }
  // A proxy that lets no streams through: the page asks by a timer.
  const alone = await signedInPage(await browser.newContext(), clerk.cookie, baseURL);
  await alone.route('**/admin/live/events*', (route) => route.abort());
  await alone.clock.install();
  const refused = alone.waitForEvent('requestfailed', (one) =>
    one.url().includes('/admin/live/events'),
  );
  await openList(alone);
  await refused;

  const theirs = await signedInPage(await browser.newContext(), manager.cookie, baseURL);
  await theirs.goto(`/admin/applications/${number}`);
  await takeThis(theirs);
  for (const tab of tabs) await expect(row(tab)).toContainText(manager.name);
  await alone.clock.fastForward(61_000);
  await expect(row(alone)).toContainText(manager.name);
});

test('a note half typed outlives another form that is sent before the scripts run', async ({
  browser,
  baseURL,
}) => {
  const { clerk, manager, application } = await storeTeam();
  const page = await signedInPage(await browser.newContext(), clerk.cookie, baseURL);
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`/admin/applications/${application.number}`, { waitUntil: 'commit' });
  const note = page.getByRole('textbox', { name: 'New note, for staff only' });
  await note.fill('The scan is');
  await page.getByText('Assign this application', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Colleague' }).selectOption(manager.id);
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  release();
  await expect(page.getByText('The application has been assigned.')).toBeVisible();
  await expect(note).toHaveValue('The scan is');
});

test('a note half typed outlives another form of the page, and one being sent loses no letter', async ({
  browser,
  baseURL,
}) => {
  const { clerk, manager, application } = await storeTeam();
  const page = await signedInPage(await browser.newContext(), clerk.cookie, baseURL);
  await page.goto(`/admin/applications/${application.number}`);
  const note = page.getByRole('textbox', { name: 'New note, for staff only' });
  const add = page.getByRole('button', { name: 'Add the note' });
  await note.fill('The scan is');
  await page.getByText('Assign this application', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Colleague' }).selectOption(manager.id);
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText('The application has been assigned.')).toBeVisible();
  await expect(note).toHaveValue('The scan is');

  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await note.fill('The scan is cut off.');
  await add.click();
  await expect(add).toHaveAttribute('aria-busy', 'true');
  await expect(note).not.toBeEditable();
  release();
  await expect(note).toHaveValue('');
  await note.fill('A second one.');
  await add.click();
  await expect(page.getByRole('paragraph').filter({ hasText: 'A second one.' })).toBeAttached();
  await expect(
    page.getByRole('paragraph').filter({ hasText: 'The scan is cut off.' }),
  ).toBeAttached();
});

test('the focus returns to where a form was sent from, so that what is typed on is no shortcut @nightly', async ({
  browser,
  baseURL,
}) => {
  const { clerk, manager, application } = await storeTeam();
  const page = await signedInPage(await browser.newContext(), clerk.cookie, baseURL);
  await page.goto(`/admin/applications/${application.number}`);
  const note = page.getByRole('textbox', { name: 'New note, for staff only' });
  await note.fill('I have');
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(page.getByRole('paragraph').filter({ hasText: 'I have' })).toBeAttached();
  await expect(note).toBeFocused();
  await page.keyboard.type(' a nap');
  await expect(note).toHaveValue(' a nap');
  await page.getByText('Assign this application', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Colleague' }).selectOption(manager.id);
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(page.getByText('The application has been assigned.')).toBeVisible();
  await page.getByRole('button', { name: 'Take over' }).click();
  await expect(page.getByText('You’re now working on this application.')).toBeVisible();
  // Its button is gone.
  await expect(page.locator('#application-name')).toBeFocused();
  await expect(page.locator('body')).not.toBeFocused();
});
