/** What happens to somebody or something, step by step; each `yield` is the moment at which it goes on. */
export type Story = AsyncGenerator<Date, void>;

/**
 * Lets stories happen side by side in the order of time. `setClock` is told the moment before each step; what would come
 * after `until` has not happened yet.
 */
export async function happen(
  stories: readonly Story[],
  { until, setClock }: { until: Date; setClock: (at: Date) => void },
): Promise<void> {
  const waiting: { at: Date; story: Story }[] = [];
  const goOn = async (story: Story) => {
    const next = await story.next();
    if (!next.done && next.value <= until) waiting.push({ at: next.value, story });
  };
  for (const story of stories) await goOn(story);
  let clock = 0;
  for (;;) {
    waiting.sort((a, b) => b.at.getTime() - a.at.getTime());
    const next = waiting.pop();
    if (!next) return;
    // What should have gone on before another story's step comes right after it.
    clock = Math.max(clock, next.at.getTime());
    setClock(new Date(clock));
    await goOn(next.story);
  }
}
