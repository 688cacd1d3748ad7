/** The layers of `src`, top first: a folder imports only folders of lower rows. */
export const layers: readonly (readonly string[])[] = [
  ['app'],
  ['features', 'lab'],
  ['i18n'],
  ['platform', 'ui'],
  ['base'],
];

/**
 * The same for features; the lab, which simulates outside services, may use the features of the last row. A folder of a
 * feature may stand in a lower row than the feature: those between the two use it.
 */
export const featureLayers: readonly (readonly string[])[] = [
  ['desk'],
  ['site', 'email'],
  ['status'],
  ['group'],
  ['visa'],
  ['insurance'],
  ['form'],
  ['application'],
  ['catalog', 'order'],
  ['email/ledger'],
  ['settings', 'payment', 'staff'],
];
