/**
 * A thread of its own, so that delays of the load generator are not counted: requests `/healthz` ten times a second
 * until it is told to stop, then reports the milliseconds of each; 5000 without an answer.
 */
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const EVERY_MS = 100;
const PATIENCE_MS = 5000;

const port = Number(workerData);
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const probes: Promise<number>[] = [];

const probe = () =>
  new Promise<number>((resolve) => {
    const began = performance.now();
    const sent = request({ agent, host: '127.0.0.1', port, path: '/healthz' }, (response) => {
      response.resume();
      response.once('end', () => resolve(performance.now() - began));
    });
    sent.setTimeout(PATIENCE_MS, () => sent.destroy());
    sent.once('error', () => resolve(PATIENCE_MS));
    sent.end();
  });

const timer = setInterval(() => probes.push(probe()), EVERY_MS);

parentPort?.once('message', async () => {
  clearInterval(timer);
  const took = await Promise.all(probes);
  agent.destroy();
  parentPort?.postMessage(took, []);
});
