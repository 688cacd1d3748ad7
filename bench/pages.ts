/**
 * Weighs the pages of the production build and runs Lighthouse on them, against our limits: `npm run bench -- pages`.
 * `--runs 1` is quicker, `--weights` leaves Lighthouse out.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { audit, categories } from './lighthouse.ts';
import { startBuild } from './server.ts';
import { FONT_LIMIT, limits, weigh } from './weights.ts';

const KILO = 1024;
const MIN_SCORES = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    weights: { type: 'boolean', default: false },
    port: { type: 'string', default: '18390' },
  },
});

const kilo = (bytes: number) => `${(bytes / KILO).toFixed(1)} kB`;
let missed = 0;
const check = (isMet: boolean, what: string) => {
  if (isMet) return;
  missed += 1;
  console.log(`  MISSED: ${what}`);
};

const build = await startBuild(Number(values.port));
try {
  for (const { name, path, script } of limits) {
    const url = build.url + path;
    const weight = await weigh(url);
    console.log(
      `${name} (${path}): HTML ${kilo(weight.html)}, script ${kilo(weight.script)}, style ${kilo(weight.style)}, fonts ${kilo(weight.font)}`,
    );
    check(weight.script <= script, `at most ${kilo(script)} of script`);
    check(weight.sheets === 1, 'one style sheet');
    check(weight.font <= FONT_LIMIT, `at most ${kilo(FONT_LIMIT)} of fonts fetched ahead`);
    if (values.weights) continue;
    const { scores, findings, ...figures } = await audit(url, Number(values.runs));
    const shown = categories.map((category) => `${category} ${scores[category]}`).join(', ');
    console.log(
      `  Lighthouse, mobile: ${shown}; largest paint ${Math.round(figures.largestPaintMs)} ms, blocked ${Math.round(figures.blockedMs)} ms, shift ${figures.shift.toFixed(3)} (load of the machine ${loadavg()[0]?.toFixed(1)})`,
    );
    for (const category of categories) {
      const lowest = MIN_SCORES[category];
      check(scores[category] >= lowest, `${category} of ${lowest} (${findings.join(', ')})`);
    }
  }
} finally {
  await build.stop();
}
console.log(missed === 0 ? 'Every limit is kept.' : `${missed} limits are missed.`);
process.exitCode = missed === 0 ? 0 : 1;
