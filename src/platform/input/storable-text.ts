/**
 * Whether the database can keep a text: PostgreSQL knows no NUL, and half a surrogate pair is no character. Nobody can
 * type either; where one arrives, a program sent it.
 */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
