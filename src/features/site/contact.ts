/** Hours until we answer: within two days, urgent questions within one, by the customer's specification. */
export const REPLY_HOURS = 48;
export const URGENT_REPLY_HOURS = 24;
/** Business days until a complaint about an answer is decided. */
export const ESCALATION_DAYS = 7;
/** Hours until we answer a security report. */
export const SECURITY_EMERGENCY_HOURS = 24;
export const SECURITY_REPORT_HOURS = 72;
