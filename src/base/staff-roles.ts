/** The roles of staff, in order of their rights: each may do what those before it may. */
export const staffRoles = ['reviewer', 'manager', 'administrator'] as const;
export type StaffRole = (typeof staffRoles)[number];
