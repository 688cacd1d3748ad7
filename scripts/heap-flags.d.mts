export const heapFlags: readonly string[];
export const allocatorVariables: Readonly<Record<string, string>>;
