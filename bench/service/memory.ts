import { connections } from './browser.ts';
import { walkWizard } from './journeys.ts';
import { AT_ONCE } from './measure.ts';
import { memoryMb } from './processor.ts';

const POINTS = 40;

export type MemoryCurve = {
  /** In MB, at equal intervals; the first before any journey. */
  points: number[];
  /** After the last journey. */
  memory: number;
  /** Of the mean of the last quarter over that of the second, in percent. */
  growth: number;
};

/** Memory of the service during so many journeys, jobs included. */
export async function measureMemory(
  port: number,
  pid: number,
  journeys: number,
): Promise<MemoryCurve> {
  const agent = connections(AT_ONCE);
  const points = [memoryMb(pid)];
  try {
    let done = 0;
    for (let point = 1; point <= POINTS; point += 1) {
      const goal = Math.round((journeys * point) / POINTS);
      const client = async () => {
        while (done < goal) {
          done += 1;
          await walkWizard(port, agent);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, client));
      points.push(memoryMb(pid));
    }
  } finally {
    agent.destroy();
  }
  const quarter = (nth: number) =>
    mean(points.slice(1).slice((nth * POINTS) / 4, ((nth + 1) * POINTS) / 4));
  return {
    points,
    memory: points.at(-1) ?? 0,
    growth: (quarter(3) / quarter(1) - 1) * 100,
  };
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
