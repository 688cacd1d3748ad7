const SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text may be asked for as an id: PostgreSQL refuses a statement with anything else in its place. */
export const isUuid = (text: string): boolean => SHAPE.test(text);
