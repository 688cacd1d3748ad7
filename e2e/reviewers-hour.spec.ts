import { storeTeam } from './desk-seed.ts';
import { expect, expectAccessible, scriptsRun, signedInPage, test } from './lale.ts';

test('a reviewer finds an application by its number, gives it to a colleague, who is told and opens it', async ({
  browser,
  baseURL,
}) => {
  const { clerk, manager, application } = await storeTeam();
  const { number } = application;
  const theirs = await signedInPage(await browser.newContext(), manager.cookie, baseURL);
  await theirs.goto('/admin/account');

  const mine = await signedInPage(await browser.newContext(), clerk.cookie, baseURL);
  const scripts: string[] = [];
  mine.on('request', (request) => scripts.push(request.url()));
  await mine.goto('/admin/refunds');
  await scriptsRun(mine);
  expect(scripts.filter((url) => /\/palette-/.test(url))).toEqual([]);

  // By keyboard alone, from any page.
  await mine.keyboard.press('ControlOrMeta+k');
  const field = mine.getByRole('combobox', { name: 'Type a number, a page or an action' });
  await expect(field).toBeFocused();
  expect(scripts.some((url) => /\/palette-/.test(url))).toBe(true);
  await expectAccessible(mine);
  await field.fill(number);
  await expect(mine.getByRole('option', { selected: true })).toContainText(number);
  await mine.keyboard.press('Enter');
  await expect(mine.getByTestId('application-number')).toBeVisible();

  await mine.keyboard.press('ControlOrMeta+k');
  await field.fill('assign');
  await mine.keyboard.press('Enter');
  const colleague = mine.getByRole('combobox', { name: 'Colleague' });
  await expect(colleague).toBeFocused();
  await colleague.selectOption(manager.id);
  await mine
    .getByRole('textbox', { name: 'Note for the colleague' })
    .fill('The father’s name is missing.');
  await mine.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(mine.getByText('The application has been assigned.')).toBeVisible();
  await expect(mine.getByText(`was assigned to ${manager.name}`)).toBeVisible();

  // The colleague's open page counts it by itself.
  const badge = theirs.getByRole('link', { name: /For you.*1 new entry for you/ });
  await expect(badge).toBeVisible();
  await badge.click();
  await expectAccessible(theirs);
  await theirs.getByRole('button', { name: /Open the application of/ }).click();
  await expect(theirs.getByText('The father’s name is missing.')).toBeVisible();
  await expect(theirs.getByText(/This application is assigned to you until/)).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'For you', exact: true })).toBeVisible();

  // A note mentions the colleague back, with the name chosen from a list.
  const note = theirs.getByRole('textbox', { name: 'New note, for staff only' });
  await note.fill('Found it.');
  await theirs.getByRole('button', { name: 'Mention a colleague' }).click();
  // Other journeys have colleagues of that name.
  await theirs
    .getByRole('button', { name: `Insert @${clerk.name}` })
    .first()
    .click();
  await expect(note).toHaveValue(`Found it. @${clerk.name} `);
  await theirs.getByRole('button', { name: 'Add the note' }).click();
  await expect(theirs.getByRole('paragraph').filter({ hasText: 'Found it.' })).toBeAttached();
  await mine.goto('/admin/for-you');
  await expect(mine.getByRole('cell', { name: /Mentioned in a note/ }).first()).toBeVisible();
});

test('the palette moves in a circle, closes on Escape, and reads from the right in Arabic', async ({
  context,
  baseURL,
}) => {
  const { clerk } = await storeTeam();
  const page = await signedInPage(context, clerk.cookie, baseURL);
  await page.goto('/ar/admin');
  await scriptsRun(page);
  await page.getByRole('button', { name: 'الأوامر' }).click();
  const options = page.getByRole('dialog').getByRole('option');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
});
