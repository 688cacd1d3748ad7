/** Where browsers send what the content security policy of a page blocked. */
export const CSP_REPORT_PATH = '/csp-reports';

/** The name of that address in the header `Reporting-Endpoints` and in policies. */
export const CSP_REPORT_GROUP = 'csp';

/** The header by which browsers with the Reporting API learn the address. */
export const REPORTING_ENDPOINTS = `${CSP_REPORT_GROUP}="${CSP_REPORT_PATH}"`;
