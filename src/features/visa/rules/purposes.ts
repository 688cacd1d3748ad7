export const purposes = ['tourism', 'trade'] as const;
export type Purpose = (typeof purposes)[number];
