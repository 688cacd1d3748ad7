/** For each state, where each event leads. An event that is not listed is not possible there. */
type Transitions<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

export type Machine<State extends string, Event extends string> = {
  readonly states: readonly State[];
  readonly events: readonly Event[];
  /** The state after the event, or null where the event is not possible. */
  next(state: State, event: Event): State | null;
  /** Whether some series of events, also an empty one, leads from one state to the other. */
  canReach(from: State, to: State): boolean;
};

/** Makes a state machine of a table. The lists give the order of states and events, and their types. */
export function defineMachine<const State extends string, const Event extends string>(
  states: readonly State[],
  events: readonly Event[],
  table: Transitions<NoInfer<State>, NoInfer<Event>>,
): Machine<State, Event> {
  const next = (state: State, event: Event): State | null => table[state][event] ?? null;
  const canReach = (from: State, to: State): boolean => {
    const reached = new Set([from]);
    for (const state of reached) {
      for (const event of events) {
        const after = next(state, event);
        // Iterating over a set also visits what is added meanwhile.
        if (after !== null) reached.add(after);
      }
    }
    return reached.has(to);
  };
  return { states, events, next, canReach };
}
