import { once } from 'node:events';
import { Agent, createServer, request, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import cluster from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi, afterAll } from 'vitest';
import { makeLog } from '../log/log.server.ts';
import { freePort } from '../config/port.server.ts';
import { answerUntilDrained, type DrainOptions } from './process.server.ts';
import { startChildren, type Children, type ChildrenOptions } from './parent.server.ts';

describe('drain', () => {
  const log = makeLog({ level: 'silent' });
  const agents: Agent[] = [];
  const servers: Server[] = [];
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  /**
   * `/slow` answers when `finish` is called, everything else at once. `arrives` resolves with the
   * next request whose head has come, `connects` with the next connection that was accepted.
   */
  async function start(options: Partial<DrainOptions> = {}) {
    const slow = Promise.withResolvers<void>();
    const answer: RequestListener = (incoming, outgoing) => {
      incoming.resume();
      incoming.once('end', () => {
        if (incoming.url === '/slow') return void slow.promise.then(() => outgoing.end('slow'));
        outgoing.writeHead(200, { 'Content-Type': 'text/plain' });
        outgoing.end('done');
      });
    };
    const server = createServer();
    servers.push(server);
    const drain = answerUntilDrained(server, answer, { graceMs: 0, log, ...options });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      port,
      drain,
      finish: slow.resolve,
      arrives: () => once(server, 'request'),
      connects: () => once(server, 'connection'),
      closes: () => vi.waitUntil(() => !server.listening),
    };
  }

  function keepAlive() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    return agent;
  }

  async function get(port: number, path = '/', agent: Agent | false = false) {
    const asked = request({ port, host: '127.0.0.1', path, agent });
    asked.end();
    const [answer] = await once(asked, 'response');
    return {
      status: answer.statusCode,
      connection: answer.headers.connection,
      body: await text(answer),
    };
  }

  const isOver = async (ending: Promise<void>) =>
    (await Promise.race([ending.then(() => 'over'), sleep(20, 'not yet')])) === 'over';

  describe('a server that leaves', () => {
    it('is not ready at once, and takes requests as before for as long as its grace', async () => {
      const { port, drain } = await start({ graceMs: 300, idleMs: 50 });
      const agent = keepAlive();
      expect((await get(port, '/readyz', agent)).status).toBe(200);
      const ending = drain('leave');
      expect(await get(port, '/readyz')).toMatchObject({ status: 503, body: 'ending' });
      expect(await get(port, '/readyz?why')).toMatchObject({ status: 503 });
      expect(await get(port, '/', agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
      expect(await get(port, '/')).toMatchObject({ status: 200, body: 'done' });
      await ending;
      await expect(get(port)).rejects.toThrow('ECONNREFUSED');
    });

    it('then says on each kept connection, with its next answer, that it closes', async () => {
      const { port, drain, closes } = await start();
      const [one, other] = [keepAlive(), keepAlive()];
      await get(port, '/', one);
      await get(port, '/', other);
      const ending = drain('leave');
      await closes();
      expect(await get(port, '/', one)).toMatchObject({ status: 200, connection: 'close' });
      expect(await isOver(ending)).toBe(false);
      expect(await get(port, '/', other)).toMatchObject({ status: 200, connection: 'close' });
      await ending;
    });

    it('finishes what it has begun, and says so on that connection, too', async () => {
      const { port, drain, finish, arrives } = await start({ idleMs: 20 });
      const arrived = arrives();
      const begun = get(port, '/slow', keepAlive());
      await arrived;
      const ending = drain('leave');
      await sleep(60);
      expect(await isOver(ending)).toBe(false);
      finish();
      expect(await begun).toMatchObject({ status: 200, body: 'slow', connection: 'close' });
      await ending;
    });

    it('receives a body that is on its way to its end', async () => {
      const { port, drain, arrives } = await start({ idleMs: 20 });
      const arrived = arrives();
      const asked = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/',
        agent: keepAlive(),
      });
      asked.write('first half, ');
      await arrived;
      const ending = drain('leave');
      await sleep(60);
      asked.end('second half');
      const [answer] = await once(asked, 'response');
      expect(await text(answer)).toBe('done');
      await ending;
    });

    it('closes connections that ask nothing any more, or never did', async () => {
      const { port, drain, connects } = await start({ idleMs: 40 });
      await get(port, '/', keepAlive());
      const connected = connects();
      const unused = connect(port, '127.0.0.1');
      await connected;
      await drain('leave');
      expect(unused.destroyed || (await once(unused, 'close'))).toBeTruthy();
    });

    it('cuts an answer that never comes, and ends', async () => {
      const { port, drain, arrives } = await start({ answerMs: 60 });
      const arrived = arrives();
      const begun = get(port, '/slow').catch(() => 'cut');
      await arrived;
      await drain('leave');
      expect(await begun).toBe('cut');
    });
  });

  describe('a server whose place is taken', () => {
    it('stays ready on the connections it has: other processes answer at the same address', async () => {
      const { port, drain } = await start();
      const agent = keepAlive();
      await get(port, '/', agent);
      const ending = drain('retire');
      expect(await get(port, '/readyz', agent)).toMatchObject({ status: 200, connection: 'close' });
      await ending;
    });
  });

  describe('a server that ends at once', () => {
    it('waits for answers alone', async () => {
      const { port, drain, finish, arrives } = await start();
      await get(port, '/', keepAlive());
      const arrived = arrives();
      const begun = get(port, '/slow');
      await arrived;
      const ending = drain('at once');
      expect(await isOver(ending)).toBe(false);
      finish();
      expect(await begun).toMatchObject({ body: 'slow' });
      await ending;
    });
  });
});

describe('parent', async () => {
  // Small programs in place of the service: the parent's part is the same.
  const folder = mkdtempSync(join(tmpdir(), 'test-children-'));
  const program = join(folder, 'program.mjs');
  const good = join(folder, 'good');
  const port = await freePort();
  writeFileSync(
    program,
    `import { existsSync } from 'node:fs';
   import { createServer } from 'node:http';
   if (!existsSync(process.env.GOOD)) process.exit(3);
   const server = createServer((_, answer) => answer.end(String(process.pid)));
   server.listen(Number(process.env.AT), '127.0.0.1');
   const end = () => process.exit(0);
   process.on('SIGTERM', process.env.DEAF ? () => {} : end).on('SIGINT', end);
   process.on('message', ({ type }) => type === 'retire' && end());`,
  );
  cluster.setupPrimary({ exec: program, execArgv: [], args: [], silent: true });
  const log = makeLog({ level: 'silent' });

  let children: Children | undefined;
  afterEach(async () => {
    await children?.stop('at once');
    children = undefined;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = async (options: Partial<ChildrenOptions> = {}, variables = {}) =>
    (children = await startChildren({
      count: 2,
      variables: { GOOD: good, AT: String(port), ...variables },
      stopDeadlineMs: 20_000,
      firstPauseMs: 1,
      log,
      ...options,
    }));

  const allow = () => writeFileSync(good, '');
  const forbid = () => rmSync(good, { force: true });
  const running = () =>
    Object.values(cluster.workers ?? {}).flatMap((one) => one?.process.pid ?? []);
  const ask = async () =>
    (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text();

  describe('children', () => {
    it('all answer at one address, in turn', async () => {
      allow();
      await start();
      const answers = new Set(await Promise.all([ask(), ask(), ask(), ask()]));
      expect([...answers].toSorted()).toEqual(running().map(String).toSorted());
    });

    it('end the parent with the code of the first one, where that does not start', async () => {
      forbid();
      await expect(start()).rejects.toMatchObject({ name: 'EndWith', exitCode: 3 });
      // Node lists a child that has ended until its channel is closed, too.
      await expect.poll(running).toEqual([]);
    });

    it('are started again when they die', async () => {
      allow();
      await start();
      const [victim = 0] = running();
      process.kill(victim, 'SIGKILL');
      await expect.poll(() => running().includes(victim)).toBe(false);
      await expect.poll(() => running().length).toBe(2);
      await ask();
    });

    it('are given up when none listens any more and each ends as soon as it starts', async () => {
      allow();
      const { failed } = await start();
      forbid();
      for (const pid of running()) process.kill(pid, 'SIGKILL');
      await expect(failed).resolves.toContain('as soon as they start');
    });

    it('go on when the next ones do not start, and are all replaced when they do', async () => {
      allow();
      const { restart } = await start();
      const before = running();
      forbid();
      await restart();
      expect(running()).toEqual(before);
      allow();
      await restart();
      expect(running()).toHaveLength(2);
      for (const pid of before) expect(running()).not.toContain(pid);
    });

    it('are killed when they do not end', async () => {
      allow();
      const { stop } = await start({ stopDeadlineMs: 200 }, { DEAF: 'yes' });
      const before = running();
      expect(before).toHaveLength(2);
      await stop('leave');
      expect(running()).toEqual([]);
    });
  });
});
