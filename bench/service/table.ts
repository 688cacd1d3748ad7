import { availableParallelism, cpus } from 'node:os';
import { missedLimits, quantities, rows, formatFigures, type Figures } from './limits.ts';

export type MeasuredWorkRow = { work: string; figures: Figures };

export const machine = (): string =>
  `${availableParallelism()} processors (${cpus()[0]?.model.trim() ?? 'of an unknown kind'}), Node ${process.versions.node}`;

const cells = (texts: readonly string[]) => `| ${texts.join(' | ')} |`;

/** The measured rows in table order, as Markdown. */
export function resultsTable(measured: { [id: string]: MeasuredWorkRow }): string {
  const heads = ['work', 'measured', 'at least', 'aim', 'met'];
  const lines = rows.flatMap(({ id, atLeast, aim }) => {
    const found = measured[id];
    if (!found) return [];
    const { work, figures } = found;
    return cells([
      work,
      formatFigures(figures),
      formatFigures(atLeast),
      formatFigures(aim),
      met(figures, atLeast, aim),
    ]);
  });
  return [cells(heads), cells(heads.map(() => '---')), ...lines].join('\n');
}

function met(figures: Figures, atLeast: Figures, aim: Figures): string {
  if (Object.keys(atLeast).length === 0) return '–';
  const missed = missedLimits(figures, atLeast);
  if (missed.length > 0) return `MISSED: ${missed.map((name) => quantities[name].unit).join(', ')}`;
  const hasAim = Object.keys(aim).length > 0;
  return hasAim && missedLimits(figures, aim).length === 0 ? 'yes, and the aim' : 'yes';
}
