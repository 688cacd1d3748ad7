/** The largest body that any address accepts: four photos of 5 MB in base64 and the JSON around them. */
export const BODY_LIMIT_MEGABYTES = 28;
