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

/**
 * Messages that the specification has in Turkish for every language; marked with `lang="tr"` where they are
 * shown.
 */
export const turkish = {
  order: 'Sipariş Hatası',
  failed: 'Ödeme Başarısız',
  notProcessed: 'Ödeme işlenemedi',
  payment: 'Ödeme Hatası',
  paypal: 'PayPal Hatası',
  cancelled: 'Ödeme İptal Edildi',
  load: 'Yükleme Hatası',
  sdk: 'SDK Hatası',
  render: 'Render Hatası',
  start: 'Başlatma Hatası',
  cardPayment: 'Kart Ödeme Hatası',
  cardCancelled: 'Kart Ödeme İptal',
  card: 'Kart Hatası',
  noLiveCredentials: 'Live PayPal credentials bulunamadı',
  orderNotCreated: 'Sipariş oluşturulamadı',
  noPaymentLink: 'Ödeme bağlantısı alınamadı',
  paypalFailed: 'PayPal ödemesi sırasında bir hata oluştu',
  nothingCharged: 'Hiçbir ücret tahsil edilmedi',
  scriptMissing: 'PayPal yüklenemedi',
  buttonsMissing: 'PayPal düğmeleri gösterilemedi',
  notStarted: 'PayPal başlatılamadı',
} as const;

export type TurkishKey = keyof typeof turkish;

/** A refusal by its HTTP status; 0 means no response. */
export const paymentErrorWithStatus = (status: number): string =>
  status === 0 ? 'Ödeme hatası: bağlantı yok' : `Ödeme hatası: HTTP ${status}`;
