/** `inGroups('TRV7K2M', [3, 4])` → `['TRV', '7K2M']`; what is left over is a last group. */
export function inGroups(value: string, groups: readonly number[]): string[] {
  const found: string[] = [];
  let from = 0;
  for (const length of [...groups, value.length]) {
    const group = value.slice(from, from + length);
    if (group !== '') found.push(group);
    from += length;
  }
  return found;
}
