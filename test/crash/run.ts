/**
 * Kills the service and its database (kill -9) at random moments while travellers apply and pay through the API, then
 * checks that nothing acknowledged was lost, nothing captured twice, and nothing is left undecided.
 *
 *   npm run test:crash [-- --purchases 200 --kills 20 --seed 7]
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findings } from './findings.ts';
import { purchase, type Purchase } from './purchase.ts';
import { makeRandom } from './random.ts';
import { Victim } from './victim.ts';

const { values } = parseArgs({
  options: {
    purchases: { type: 'string', default: '200' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    port: { type: 'string', default: '18340' },
  },
});
const purchases = Number(values.purchases);
const kills = Number(values.kills);
const TRAVELLERS = 6;

const random = makeRandom(Number(values.seed));
const dataDir = mkdtempSync(join(tmpdir(), 'lale-crash-'));
const victim = new Victim(dataDir, Number(values.port));
console.log(`seed ${values.seed}: ${purchases} purchases, ${kills} kills`);

await victim.start();
const done: Purchase[] = [];
let next = 0;
const shop = { open: true };

async function traveller() {
  while (next < purchases) {
    next += 1;
    done.push(await purchase(victim.address, { key: randomUUID(), random }));
  }
}

async function killer() {
  for (let count = 0; count < kills && shop.open; count += 1) {
    // Spread over the whole run, whatever its speed.
    while (shop.open && done.length < (count * purchases) / kills) await sleep(20);
    await sleep(random() * 400);
    const target = random() < 0.5 ? 'service' : 'database';
    await victim.kill(target);
    console.log(`kill ${count + 1}: ${target}, after ${done.length} purchases`);
    await victim.revive();
  }
}

const killing = killer();
await Promise.all(Array.from({ length: TRAVELLERS }, traveller));
shop.open = false;
await killing;

console.log('waiting for the sweep to settle what is open');
const deadline = Date.now() + 6 * 60_000;
let found = await findings(dataDir, done);
while (found.undecided > 0 && Date.now() < deadline) {
  await sleep(2000);
  found = await findings(dataDir, done);
}
await victim.stop();
console.log(JSON.stringify(found.figures));
for (const fault of found.faults) console.error(`FAULT: ${fault}`);
if (found.undecided > 0) console.error(`FAULT: ${found.undecided} attempts stay undecided`);
const failed = found.faults.length + (found.undecided > 0 ? 1 : 0);
if (failed === 0) rmSync(dataDir, { recursive: true, force: true });
else console.error(`The data is kept in ${dataDir}`);
console.log(`${failed === 0 ? 1 : 0} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
