/** A sequence of steps; each `yield` is the moment of the next step. */
export type Story = AsyncGenerator<Date, void>;

/**
 * Runs stories side by side in the order of time. `setClock` is called before each step; steps after `until` are not
 * run.
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
    // A step that is already late runs right after the other story's.
    clock = Math.max(clock, next.at.getTime());
    setClock(new Date(clock));
    await goOn(next.story);
  }
}
