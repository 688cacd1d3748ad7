import { expect, test } from 'vitest';
import { makeReplyAddress } from '~/features/application/reply-address.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { messagesByApplication } from '~/features/application/messages/messages.server.ts';
import { receiveEmail } from './receive.server.ts';

const ADDRESS = 'inbox@lale.example';
const platform = await makeTestPlatform();
const { db, sealer } = platform;
const app = makeTestApp(platform);
const { cookie } = await storeStaff(platform);

const application = await makeApplication(platform, { email: 'thabo@example.org' });
const { id, number } = application;
const here = `/en/admin/applications/${number}`;

const incoming = (from: string, text: string) =>
  Buffer.from(
    [
      `From: ${from}`,
      `To: ${makeReplyAddress(sealer, ADDRESS, id)}`,
      `Subject: <script>alert(1)</script>`,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      text,
      '--b',
      'Content-Type: text/html; name="ticket.pdf"',
      'Content-Disposition: attachment; filename="ticket.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      goodPdf().toString('base64'),
      '--b--',
    ].join('\r\n'),
  );

const page = async (path: string) => {
  const response = await app.request(path, { headers: { cookie } });
  return (await response.text()).replaceAll(/<script.*?<\/script>/gs, '');
};

test('a message is on the page and in its list, marked, until somebody says that they read it', async () => {
  await receiveEmail(platform, ADDRESS, incoming('Thabo@example.org', 'Hello <b>there</b>'));
  await receiveEmail(platform, ADDRESS, incoming('other@example.org', 'It is me'));
  const opened = await page(here);
  expect(opened).toContain('Hello &lt;b&gt;there&lt;/b&gt;');
  expect(opened).not.toContain('<script>alert');
  expect(opened.match(/This email address is not in the application/g)).toHaveLength(1);
  expect(opened.match(/new message/g)?.length).toBeGreaterThanOrEqual(2);
  expect(await page('/en/admin?show=messages')).toContain(`data-number="${number}"`);

  const form = new URLSearchParams({ intent: 'read_messages' });
  const response = await app.request(here, {
    method: 'POST',
    body: form,
    headers: { cookie, origin: platform.config.publicUrl },
  });
  expect(response.headers.get('location')).toContain('#messages');
  expect(await page(here)).not.toContain('new message');
  expect(await page('/en/admin?show=messages')).not.toContain(`data-number="${number}"`);
  const actions = (await auditEntriesBySubject(db, { kind: 'application', id })).map(
    ({ action }) => action,
  );
  expect(actions.filter((action) => action === 'messages_read')).toHaveLength(1);
});

test('a file of a message is downloaded by staff alone, under a name of ours', async () => {
  const [message] = await messagesByApplication(db, sealer, id);
  const path = `/en/admin/message-files/${message?.files[0]?.id}`;
  const response = await app.request(path, { headers: { cookie } });
  expect(Buffer.from(await response.arrayBuffer()).equals(goodPdf())).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="attachment.pdf"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect((await app.request(path)).status).not.toBe(200);
  const entries = await auditEntriesBySubject(db, { kind: 'application', id });
  expect(entries.map(({ action }) => action)).toContain('message_file_viewed');
});
