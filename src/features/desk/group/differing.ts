/**
 * Which of these values differ from what most of them say: what travellers of one order ordinarily share, and may have
 * been entered wrongly for one. None where no value is that of more than half.
 */
export function differing(values: readonly string[]): boolean[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const usual = [...counts].find(([, count]) => count > values.length / 2)?.[0];
  return values.map((value) => usual !== undefined && value !== usual);
}
