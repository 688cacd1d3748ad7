/** How soon people are answered (specification, section 9), in hours unless the name says days. */
export const REPLY_HOURS = 48;
export const URGENT_REPLY_HOURS = 24;
/** Business days until a complaint about an answer is decided. */
export const ESCALATION_DAYS = 7;
/** Reports about security. */
export const SECURITY_EMERGENCY_HOURS = 24;
export const SECURITY_REPORT_HOURS = 72;
