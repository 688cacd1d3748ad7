import { toDecimal, usd } from '~/base/money.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { DESTINATION } from '~/features/insurance/rules/answers.ts';
import { openInsurance } from '~/features/insurance/store/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { maskNumber } from '~/features/application/document-number.ts';
import { makeRecord } from '~/base/record-of.ts';
import { plainColumns } from '~/features/visa/store/answer-columns.ts';
import { openZone } from '~/features/visa/store/store.server.ts';
import { compareZone, findApplication } from '../application/detail.server.ts';
import { openNumbers } from '../application/store.server.ts';
import { type Holder, claimApplication } from '../application/claim.server.ts';
import { type DeskApplication, loadRelated } from '../queue/queue.server.ts';
import { type QueueCounts, readQueueCounts } from '../reports/totals.server.ts';
import type { z } from 'zod';
import type { HolderAnswer, StaffApplicationAnswer, statsAnswer } from './answer-shapes.ts';
import { actionRefusal, type CaseAction, actionRules } from '../application/case-actions.ts';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { Application } from '~/features/application/store.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import {
  requireAllowedCall,
  requireStaffApi,
  type StaffEnv,
  requireStaffPage,
} from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import {
  approveRequest,
  attachRequest,
  readCallBody,
  rejectRequest,
  searchRequest,
  statusRequests,
  uploadedFile,
} from './call-input.server.ts';
import { liveEvents } from '../frame/live-events.server.ts';
import {
  forbiddenResponse,
  invalidResponse,
  notFoundResponse,
  decisionRefusalResponse,
  tooSlowResponse,
} from './call-refusals.server.ts';
import { askAndDecide } from '../application/decide.server.ts';
import type { Decision } from '../application/decision-types.ts';
import { refundApi } from './refund-api.server.ts';
import { readFilter, type QueueKind } from '../queue/list-filter.ts';
import { readList } from '../queue/list.server.ts';
import { readSearch, type Search } from '../queue/search-words.ts';
import { addPdf } from '../several/waiting-pdfs.server.ts';
import { documentNamed, upload } from '../application/uploads.server.ts';
import { mailAnswer } from '~/platform/http/mail-answer.server.ts';
import { hasOutbox, readOutbox } from '../setup/outbox.server.ts';

/** An application in the staff calls, with the specification's names. Document numbers are masked. */
export function applicationAnswer(
  platform: Platform,
  gathered: DeskApplication,
): StaffApplicationAnswer {
  const { application, visa, insurance, paymentStatus, mailSentAt, transactionId } = gathered;
  const nationality = countryName(
    { code: application.countryCode, name: application.countryCode },
    'en',
  );
  const both = {
    id: application.id,
    applicationNumber: application.number,
    status: application.status,
    paymentStatus,
    transactionId,
    actionRequired: application.actionRequired,
    firstName: application.firstName,
    lastName: application.lastName,
    email: application.email,
    phone: application.phone,
    dateOfBirth: application.dateOfBirth,
    countryId: application.countryCode,
    countryOfOrigin: nationality,
    totalAmount: toDecimal(usd(application.amountMinor)),
    currency: 'USD' as const,
    orderReference: application.orderNumber,
    createdAt: application.createdAt.toISOString(),
    promisedAt: application.promisedAt?.toISOString() ?? null,
    decidedAt: application.decidedAt?.toISOString() ?? null,
    rejectionCode: application.rejectionCode,
    rejectionReason: application.rejectionReason,
    emailSentAt: mailSentAt?.toISOString() ?? null,
  };
  return application.kind === 'visa'
    ? { ...both, ...visaAnswer(platform, gathered, visa) }
    : { ...both, nationality, ...insuranceAnswer(platform, application, insurance) };
}

/** Who is working on an application, with the names used in refused decisions. */
export const holderAnswer = (holder: Holder | null): HolderAnswer => ({
  claimedBy: holder?.name ?? null,
  claimedUntil: holder?.until.toISOString() ?? null,
  assigned: holder?.isAssigned ?? false,
});

/** Photos of a parent's ID are opened at the desk one by one; calls do not return them. */
function insuranceAnswer(
  { sealer }: Platform,
  { startsOn, service }: DeskApplication['application'],
  row: DeskApplication['insurance'],
) {
  const details = row && openInsurance(sealer, row);
  return {
    passportNumber: details && maskNumber(details.passportNumber),
    placeOfBirth: details?.placeOfBirth ?? null,
    travelDate: startsOn,
    returnDate: details?.returnDate ?? null,
    destination: details ? DESTINATION : null,
    productId: service,
    tripDurationDays: details?.tripDays ?? null,
    coverUntil: details?.coverUntil ?? null,
    parentIdRequired: details?.isMinor ?? false,
    cancelledAt: details?.cancelledAt?.toISOString() ?? null,
  };
}

function visaAnswer(
  platform: Platform,
  { application }: DeskApplication,
  visa: DeskApplication['visa'],
) {
  const numbers = visa && openNumbers(platform, visa);
  return {
    documentType: application.travelDocument,
    arrivalDate: application.startsOn,
    processingType: application.service,
    passportNumber: numbers && maskNumber(numbers.passport),
    supportingDocumentNumber:
      numbers?.supportingDocument == null ? null : maskNumber(numbers.supportingDocument),
    ...makeRecord(plainColumns, (column) => visa?.[column] ?? null),
    machineReadableZone:
      visa &&
      numbers &&
      compareZone(openZone(platform.sealer, visa), application, {
        passportNumber: numbers.passport,
        passportExpiryDate: visa.passportExpiryDate,
        reveal: false,
      }),
  };
}

function statisticsAnswer(figures: QueueCounts): z.infer<typeof statsAnswer> {
  return {
    totalApplications: figures.visa,
    totalInsuranceApplications: figures.insurance,
    totalRevenue: toDecimal(figures.revenue),
    currency: figures.revenue.currency,
    pendingApplications: figures.pending,
  };
}

const LIST_SIZE = 200;
/** Highest value of `X-Total-Count`. */
const MAX_CALL_COUNT = 10_000;

/** Path segment → kind of application. */
const kinds = [
  ['applications', 'visa'],
  ['insurance-applications', 'insurance'],
] as const satisfies readonly (readonly [string, QueueKind])[];

type StaffContext = Context<StaffEnv>;

/**
 * The calls of staff. Each needs a session; what the role does not allow is a 403. `described`: runs before each, once
 * somebody is signed in.
 */
export function deskApi(platform: Platform, payments: Payments, described: MiddlewareHandler) {
  const app = new Hono<StaffEnv>();
  app.route('/', outboxApi(platform));
  app.route('/', liveEvents(platform));
  app.use('/api/admin/*', requireStaffApi(platform), described);
  app.route('/', refundApi(platform));

  app.get('/api/admin/stats', requireAllowedCall('view_statistics'), async (c) =>
    c.json(statisticsAnswer(await readQueueCounts(platform.db, platform.now()))),
  );

  app.post('/api/admin/files', requireAllowedCall('attach_document'), async (c) => {
    const file = await uploadedFile(c);
    if (!file) return invalidResponse({ file: 'required' });
    const uploaded =
      c.req.query('waits') === 'true'
        ? await addPdf(platform, c.var.staff, file)
        : await upload(platform, c.var.staff, new Uint8Array(await file.arrayBuffer()));
    return uploaded.ok ? c.json(uploaded.value, 201) : invalidResponse({ file: uploaded.error });
  });

  for (const [segment, kind] of kinds) {
    const base = `/api/admin/${segment}` as const;

    app.get(base, requireAllowedCall('view_applications'), (c) => list(c, kind, null));

    app.post(`${base}/search`, requireAllowedCall('view_applications'), async (c) => {
      const body = await readCallBody(c, searchRequest);
      return body.ok ? list(c, kind, readSearch(body.data.search, platform.sealer)) : body.response;
    });

    app.post(`${base}/:id/claim`, requireAllowedCall('view_applications'), async (c) => {
      const found = await find(c, kind);
      if (!found) return notFoundResponse();
      const { staff } = c.var;
      const facts = { status: found.status, paid: found.paidAt !== null };
      const isOpen = actionRefusal('claim', facts, staff.role) === null;
      const held = isOpen ? await claimApplication(platform, staff, found.id) : null;
      return c.json(holderAnswer(held));
    });

    app.post(`${base}/:id/approve`, requireAllowedCall('approve'), async (c) => {
      const body = await readCallBody(c, approveRequest);
      if (!body.ok) return body.response;
      const { documentUrl, pdfAttachment } = body.data;
      return answer(c, kind, { kind: 'approve' }, documentUrl ?? pdfAttachment);
    });

    app.post(`${base}/:id/reject`, requireAllowedCall('reject'), async (c) => {
      const body = await readCallBody(c, rejectRequest);
      return body.ok ? answer(c, kind, rejectionOf(body.data)) : body.response;
    });

    app.post(`${base}/:id/document`, requireAllowedCall('attach_document'), async (c) => {
      const body = await readCallBody(c, attachRequest);
      if (!body.ok) return body.response;
      return answer(c, kind, { kind: 'attach' }, body.data.documentUrl);
    });

    app.patch(`${base}/:id/status`, async (c) => {
      const body = await readCallBody(c, statusRequests[kind]);
      if (!body.ok) return body.response;
      const { status, pdfAttachment, documentUrl } = body.data;
      const actions = {
        approved: 'approve',
        rejected: 'reject',
        processing: 'start_processing',
      } as const satisfies Record<typeof status, CaseAction>;
      if (!may(c.var.staff.role, actionRules(actions[status]).right)) return forbiddenResponse();
      if (status === 'approved')
        return answer(c, kind, { kind: 'approve' }, documentUrl ?? pdfAttachment);
      const rejection =
        status === 'rejected' && ({ ...rejectionOf(body.data), mayLackReason: true } as const);
      return answer(c, kind, rejection || { kind: 'start_processing' });
    });
  }

  async function list(c: StaffContext, kind: QueueKind, search: Search | null): Promise<Response> {
    const query = new URL(c.req.url).searchParams;
    const filter = readFilter(query, kind, search);
    const looking = { staffId: c.var.staff.id, now: platform.now() };
    const size = { pageSize: LIST_SIZE, mostCounted: MAX_CALL_COUNT };
    const found = await readList(platform.db, filter, looking, size);
    if (!found) return tooSlowResponse();
    const { rows, hasAfter, total } = found;
    await audit(platform.db, {
      at: platform.now(),
      staffId: c.var.staff.id,
      action: 'applications_listed',
      subject: { kind: 'queue', id: kind },
      detail: { count: rows.length, searched: search !== null },
    });
    c.header('X-Total-Count', String(total));
    const last = rows.at(-1);
    if (hasAfter && last) {
      query.delete('before');
      query.set('after', last.id);
      c.header('Link', `<${c.req.path}?${query}>; rel="next"`);
    }
    const gathered = await loadRelated(platform.db, rows);
    return c.json(gathered.map((application) => applicationAnswer(platform, application)));
  }

  async function find(c: StaffContext, kind: QueueKind): Promise<Application | null> {
    const found = await findApplication(platform.db, c.req.param('id') ?? '');
    return found?.kind === kind ? found : null;
  }

  /** `named` is the document that a call contains or names. */
  async function answer(
    c: StaffContext,
    kind: QueueKind,
    decision: Decision,
    named?: string,
  ): Promise<Response> {
    const found = await find(c, kind);
    if (!found) return notFoundResponse();
    const { staff } = c.var;
    const file = named === undefined ? null : await documentNamed(platform, staff, named);
    if (file && !file.ok) return invalidResponse({ documentUrl: file.error });
    const delivery = file && { fileId: file.value };
    const asked = { ...decision, ...delivery, applicationId: found.id };
    const outcome = await askAndDecide(platform, payments, staff, asked);
    if (!outcome.ok) return decisionRefusalResponse(outcome.error);
    const [decided] = await loadRelated(platform.db, [outcome.value]);
    return decided ? Response.json(applicationAnswer(platform, decided)) : notFoundResponse();
  }

  return app;
}

const rejectionOf = ({ reasonCode, reason }: z.infer<typeof rejectRequest>): Decision => ({
  kind: 'reject',
  code: reasonCode ?? undefined,
  reason: reason ?? undefined,
});

/** An email of the outbox as HTML. */
function outboxApi(platform: Platform) {
  const app = new Hono<StaffEnv>();
  app.get(
    '/admin/outbox/:name',
    requireStaffPage(platform, '/admin/outbox'),
    requireAllowedCall('view_outbox'),
    async (c) => {
      const message = hasOutbox(platform) ? await readOutbox(platform, c.req.param('name')) : null;
      return message ? mailAnswer(message.html) : c.notFound();
    },
  );
  return app;
}
