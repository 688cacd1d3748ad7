/** Turns of the loop that are waited for at most, however many connections still arrive. */
const MOST_TURNS = 64;

/**
 * Node accepts one connection in each turn of its loop. While every turn also renders a page, hundreds wait to be
 * accepted, health checks among them. So the next page is begun only after a turn in which no connection came.
 */
export function acceptFirst(): {
  onConnection: () => void;
  whenAccepted: (then: () => void) => void;
} {
  let connections = 0;
  return {
    onConnection: () => void connections++,
    whenAccepted(then) {
      let seen = connections;
      let turns = 0;
      const turn = () => {
        turns++;
        if (turns >= MOST_TURNS || (turns > 1 && connections === seen)) return then();
        seen = connections;
        setImmediate(turn);
      };
      setImmediate(turn);
    },
  };
}
