export const serverEntries: Readonly<Record<string, string>>;
