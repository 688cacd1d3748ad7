/** The largest body that any address accepts: four photos of 5 MB in base64 and the JSON around them. */
export const BODY_LIMIT_MEGABYTES = 28;
/** In bytes. The largest body of an address that takes no files; received before its request counts as work. */
export const SMALL_BODY_BYTES = 64 * 1024;
