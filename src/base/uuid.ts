const SHAPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID: PostgreSQL refuses a statement that compares an id with anything else. */
export const isUuid = (text: string): boolean => SHAPE.test(text);
