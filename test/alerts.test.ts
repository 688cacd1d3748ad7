import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createApp } from '../src/app/app.server.ts';
import { makePayments } from '../src/app/composition/payments.server.ts';
import { openStates } from '../src/features/payment/machine.ts';
import { makeAdmission, workBounds } from '../src/platform/admission/admission.server.ts';
import * as build from 'virtual:react-router/server-build';
import { makeTestPlatform } from './platform.ts';

const root = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.object({ summary: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read('deploy/prometheus/alerts.yml')))
  .groups.flatMap((group) => group.rules);

const { panels } = z
  .object({
    panels: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
        targets: z.array(z.object({ expr: z.string() })).min(1),
      }),
    ),
  })
  .parse(JSON.parse(read('deploy/grafana/lale.json')));

/** Every expression, by where it stands. What Grafana fills in is filled in. */
const expressions: [where: string, text: string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [
      `panel ${title}`,
      expr.replaceAll('$__rate_interval', '5m'),
    ]),
  ),
];

/** The parts of an expression of one kind, as PromQL's own grammar names them. */
function partsOf(text: string, kind: string): string[] {
  const parts: string[] = [];
  parser.parse(text).iterate({
    enter: ({ name, from, to }) => void (name === kind && parts.push(text.slice(from, to))),
  });
  return parts;
}

/** Made by Prometheus itself, or by its labels of a target. */
const OF_PROMETHEUS = ['up'];
const LABELS = ['le', 'method', 'kind', 'status', 'of', 'job', 'instance'];
const TOKEN = 'a-token-of-this-test-alone';

let exported: { names: Set<string>; text: string };
beforeAll(async () => {
  const platform = await makeTestPlatform({ variables: { METRICS_TOKEN: TOKEN } });
  const admission = makeAdmission({
    bounds: workBounds(platform.config.work),
    waitMs: 1,
    latestMs: 1000,
    loopDelayMs: () => 0,
  });
  const payments = makePayments(platform);
  const app = createApp({ platform, payments, build, mode: 'test', admission });
  const answer = await app.request('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await answer.text();
  const typed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)];
  const names = typed.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  exported = { names: new Set(names), text };
});

test('there are alerts and panels, none twice', () => {
  for (const names of [rules.map(({ alert }) => alert), panels.map(({ title }) => title)]) {
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names).size).toBe(names.length);
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});

describe.each(expressions)('%s', (_, text) => {
  test('is PromQL, of figures that the service has', () => {
    expect(partsOf(text, '⚠')).toEqual([]);
    const names = partsOf(text, 'Identifier');
    expect(names.length).toBeGreaterThan(0);
    const unknown = names.filter((name) => !exported.names.has(name));
    expect(unknown.filter((name) => !OF_PROMETHEUS.includes(name))).toEqual([]);
    const labels = partsOf(text, 'LabelName');
    expect(labels.filter((label) => !LABELS.includes(label))).toEqual([]);
  });

  test('asks for values that there are', () => {
    for (const [, name = '', value = ''] of text.matchAll(/(\w+)\{of="(\w+)"\}/g)) {
      const isThere =
        name === 'lale_payment_attempts_open'
          ? openStates.some((state) => state === value)
          : exported.text.includes(`${name}{of="${value}"}`);
      expect([name, value, isThere]).toEqual([name, value, true]);
    }
  });
});

test('each figure of our own is watched or drawn', () => {
  const used = new Set(expressions.flatMap(([, text]) => partsOf(text, 'Identifier')));
  const own = [...exported.names].filter(
    (name) => name.startsWith('lale_') && !/_(sum|count)$/.test(name),
  );
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter((name) => !used.has(name))).toEqual([]);
});

test('docs/operations.md says of each alert what to do', () => {
  const listed = [...read('docs/operations.md').matchAll(/^\| `(Lale\w+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(listed).toEqual(rules.map(({ alert }) => alert));
});

test('panels of one row do not overlap', () => {
  for (const one of panels) {
    for (const other of panels.filter(({ id }) => id > one.id)) {
      const [a, b] = [one.gridPos, other.gridPos];
      const isApart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      expect([one.title, other.title, isApart]).toEqual([one.title, other.title, true]);
    }
    expect(one.gridPos.x + one.gridPos.w).toBeLessThanOrEqual(24);
  }
});
