/** Milliseconds; the customer's specification gives each of these values. */
export const BUTTON_RENDER_DELAY_MS = 100;
export const PAYPAL_REDIRECT_MS = 500;
export const MOCK_PAYMENT_MS = 2000;
export const DEBUG_PAYMENT_REDIRECT_MS = 3000;
export const DEBUG_DIRECT_REDIRECT_MS = 2000;
export const SUCCESS_TOAST_MS = 5000;
/** Payment notices stay for 8 to 15 seconds, longer where there is more to do. */
export const CANCELLED_NOTICE_MS = 8000;
export const FAILED_NOTICE_MS = 10_000;
export const NO_SCRIPT_NOTICE_MS = 15_000;
