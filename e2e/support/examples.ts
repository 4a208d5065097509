import { randomBytes } from "node:crypto"
import { openSession } from "@/lib/access/credentials/data"
import { newAuthenticator } from "@/e2e/support/access/authenticator"
import { addChallenge } from "@/lib/access/passkeys/data"
import { beginTotp } from "@/lib/access/second-factor/data"
import { totpCode, totpStepAt } from "@/lib/access/second-factor/codes"
import { addRequests } from "@/lib/api-keys/usage/data"
import { pool } from "@/lib/platform/database/db"
import type { Route } from "@/lib/platform/http/endpoint"
import type { RecordState } from "@/lib/domains/records/records"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { silentDns } from "@/e2e/support/silent-dns"
import { addWebhook, webhookExamples, type Webhooks } from "@/e2e/support/webhook-examples"
import { addPeople, type People } from "@/e2e/support/people"
import { addDestination } from "@/e2e/support/delivery/sample-destination"
import { api, type Call, type World } from "@/e2e/support/world"
import { reportOf } from "@/e2e/support/domains/dmarc-reports"
import { tlsReportOf } from "@/e2e/support/inbound/report-mail"

/** What a project of the tests owns, one of each kind, so that every operation has something to act on. */
export type Belongings = {
  projectName: string
  emailId: string
  scheduledId: string
  domainId: string
  pendingDomainId: string
  keyId: string
  requestId: string
  messageId: string
  operatorMailId: string
  destinationId: string
  returnedMailId: string
  inboundId: string
  routeId: string
  egressAddressId: string
  project: string
  session: string
  otherSessionId: string
  passkeyId: string
  newPasskey: Record<string, string>
  /** Of an authenticator app that waits to be confirmed. */
  totpSecret: string
} & Audience &
  Broadcasts &
  Webhooks &
  People

/** Of the audience, one of each kind. */
type Audience = {
  topicId: string
  propertyId: string
  contactId: string
  segmentId: string
  importId: string
  checkedImportId: string
  templateId: string
}

/** One broadcast for each operation that changes its status. */
type Broadcasts = {
  draftId: string
  pausedId: string
  sendingId: string
  scheduledBroadcastId: string
  cancellableId: string
}

const mail = { from: "Acme <hello@acme.test>", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi" }

/** Makes `acme.test` a verified domain of the project, its standby key published, without DNS. */
export async function addVerifiedDomain(world: World, name = "acme.test"): Promise<string> {
  const id = await addPendingDomain(world, name)
  const uuid = decodeId("dom", id)
  const keys = ["dkim-a", "dkim-b", "mail-from-mx", "mail-from-spf", "dmarc", "tracking"] as const
  const states = keys.map((key): RecordState => {
    return { key, status: "verified", found: [], lastAnswerAt: new Date().toISOString() }
  })
  await pool().query(
    `UPDATE domains SET status = 'verified', verified_at = now(), dkim_status = 'verified', records = $2 WHERE id = $1`,
    [uuid, JSON.stringify(states)],
  )
  await pool().query("UPDATE dkim_keys SET status = 'verified' WHERE domain_id = $1", [uuid])
  return id
}

async function addPendingDomain(world: World, name: string): Promise<string> {
  const created = await api("POST /v1/projects/{projectId}/domains", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { domain: name, region: "eu-west-1" },
  })
  if (created.status !== 201) throw new Error(`The domain was refused: ${JSON.stringify(created.json)}`)
  return created.json.id
}

export async function addBelongings(world: World, session: string): Promise<Belongings> {
  // Before the first call of the session: for a second it is known as it was.
  await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
  const domainId = await addVerifiedDomain(world)
  const pendingDomainId = await addPendingDomain(world, "waiting.test")
  const sent = await api("POST /v1/emails", { key: world.apiKey, body: mail })
  const scheduledAt = new Date(Date.now() + 3600_000).toISOString()
  const scheduled = await api("POST /v1/emails", { key: world.apiKey, body: { ...mail, scheduledAt } })
  const [messageId, operatorMailId, returnedMailId] = [newId(), newId(), newId()]
  await api("PUT /v1/projects/{projectId}/notice-target", {
    ...{ cookie: session, params: { projectId: world.project } },
    body: { url: "https://hooks.example.com/services/notices" },
  })
  const pass = { result: "pass" }
  const raw = Buffer.from("From: a@acme.test\r\nTo: ada@lovelace.example\r\nSubject: Hello\r\n\r\nHi\r\n")
  await pool().query(
    `INSERT INTO sandbox_messages (id, project_id, email_id, delivery_id, mail_from, rcpt_to, subject, from_header, dkim, spf,
        dmarc, verdicts, size, raw) VALUES ($1, $2, $3, $3, 'x@send.acme.test', 'ada@lovelace.example', 'Hello', 'a@acme.test',
        'pass', 'pass', 'pass', $6, $4, $5)`,
    [messageId, world.projectId, newId(), raw.length, raw, JSON.stringify({ dkim: pass, spf: pass, dmarc: pass })],
  )
  await pool().query(
    `INSERT INTO inbound_messages (id, door, mail_from, rcpt_to, client, helo, size, digest, raw, operator_reason)
      VALUES ($1, 'mailbox', 'ada@lovelace.example', 'postmaster@mail.example', '203.0.113.5', 'mx.lovelace.example', $2, $3, $4,
        'written')`,
    [operatorMailId, raw.length, randomBytes(32), raw],
  )
  await pool().query(
    `INSERT INTO inbound_messages (id, door, project_id, email_id, mail_from, rcpt_to, client, helo, size, digest, raw)
      VALUES ($1, 'return_path', $2, $3, '', 'b@send.acme.test', '203.0.113.5', 'mx.lovelace.example', $4, $5, $6)`,
    [returnedMailId, world.projectId, decodeId("email", sent.json.id), raw.length, randomBytes(32), raw],
  )
  const inboundId = newId()
  const hook = await api("POST /v1/projects/{projectId}/webhooks", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { url: "https://8.8.8.8/received", events: ["email.received"] },
  })
  const routed = await api("POST /v1/projects/{projectId}/inbound-routes", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { webhookId: hook.json.id },
  })
  const attached = Buffer.from(
    'From: b@lovelace.example\r\nMIME-Version: 1.0\r\nContent-Type: application/pdf; name="a.pdf"\r\n\r\nx\r\n',
  )
  await pool().query(
    `INSERT INTO inbound_messages (id, door, project_id, route_id, mail_from, rcpt_to, client, helo, size, digest, raw, keep_until)
      VALUES ($1, 'route', $2, $3, '', $4, '203.0.113.5', 'mx.lovelace.example', $5, $6, $7, now() + interval '1 day')`,
    [
      ...[inboundId, world.projectId, decodeId("inr", routed.json.id), routed.json.address],
      ...[attached.length, randomBytes(32), attached],
    ],
  )
  const egressAddressId = newId()
  await pool().query(
    "INSERT INTO egress_addresses (id, region, address, ehlo_name) VALUES ($1, 'af-south-1', $2, 'out.mail.example')",
    [egressAddressId, `192.0.2.${egressAddressId.slice(-8)}`],
  )
  const destinationId = await addDestination(pool())
  await api("POST /v1/projects/{projectId}/suppressions", {
    key: world.apiKey,
    params: { projectId: world.project },
    body: { email: "suppressed@lovelace.example" },
  })
  await pool().query("UPDATE email_bodies SET raw = $2 WHERE project_id = $1", [world.projectId, raw])
  await pool().query("UPDATE deliveries SET sent_at = now() WHERE project_id = $1", [world.projectId])
  await pool().query("UPDATE domains SET bimi_logo = '<svg/>' WHERE id = $1", [decodeId("dom", pendingDomainId)])
  const read = { key: world.apiKey, params: { projectId: world.project } }
  const project = await api("GET /v1/projects/{projectId}", read)
  return {
    projectName: project.json.name,
    operatorMailId: encodeId("inb", operatorMailId),
    destinationId,
    returnedMailId: encodeId("inb", returnedMailId),
    inboundId: encodeId("inb", inboundId),
    routeId: routed.json.id,
    egressAddressId: encodeId("egr", egressAddressId),
    project: world.project,
    emailId: sent.json.id,
    scheduledId: scheduled.json.id,
    domainId,
    pendingDomainId,
    keyId: encodeId("key", world.keyId),
    requestId: await addLoggedRequest(world),
    messageId: encodeId("msg", messageId),
    session,
    ...(await addSamplePasskey(world)),
    totpSecret: await addWaitingTotp(world),
    otherSessionId: encodeId("ses", (await openSession(world.userId, {})) ?? ""),
    ...(await addAudience(world)),
    ...(await addBroadcasts(world)),
    ...(await addWebhook(world)),
    ...(await addPeople(world)),
  }
}

/** A passkey, and one that waits to be added. */
async function addSamplePasskey({ userId }: World) {
  const [passkeyId, challenge] = [newId(), newId()]
  await pool().query(
    "INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, name, last_used_at) VALUES ($1, $2, $3, '', 0, 'Phone', now())",
    [passkeyId, userId, newId()],
  )
  await addChallenge(challenge, userId)
  // The calls of a whole test come between this and its use.
  await pool().query("UPDATE passkey_challenges SET expires_at = now() + interval '1 hour' WHERE user_id = $1", [
    userId,
  ])
  return {
    passkeyId: encodeId("pky", passkeyId),
    newPasskey: { name: "Phone", ...newAuthenticator().create(challenge) },
  }
}

async function addWaitingTotp({ userId }: World): Promise<string> {
  const secret = newId().slice(-20)
  await beginTotp(userId, Buffer.from(secret))
  return secret
}

/** A refused request that names what it was about. */
async function addLoggedRequest({ organizationId, projectId, keyId }: World): Promise<string> {
  const id = newId()
  await addRequests([
    {
      ...{ id, organizationId, projectId, keyId, method: "PATCH", route: "/v1/emails/{emailId}", statusCode: 400 },
      ...{ durationMs: 3, ip: "192.0.2.1", permission: "emails:send", at: new Date() },
      ...{ problemCode: "request.invalid", problemDetail: "Invalid.", notice: "idempotency_unsupported" },
      problemFields: [{ pointer: "/scheduledAt", detail: "Must be given." }],
      ...{ userAgent: "curl/8.7.1", idempotencyKey: "receipt-1", objectIds: [encodeId("email", newId())] },
    },
  ])
  return encodeId("req", id)
}

async function addAudience(world: World): Promise<Audience> {
  const created = async (route: Route, body: unknown) => {
    const answer = await api(route, { key: world.apiKey, params: { projectId: world.project }, body })
    if (answer.status !== 201) throw new Error(`${route} answered ${JSON.stringify(answer.json)}`)
    return answer.json.id as string
  }
  const topicId = await created("POST /v1/projects/{projectId}/topics", {
    name: "News",
    defaultSubscription: "opt_out",
  })
  const templateId = await created("POST /v1/projects/{projectId}/templates", {
    name: "invoice",
    subject: "Invoice {{number}}",
    text: "Thank you.",
    variables: [{ name: "number" }],
  })
  const propertyId = await created("POST /v1/projects/{projectId}/contact-properties", { key: "plan", type: "string" })
  const contactId = await created("POST /v1/projects/{projectId}/contacts", { email: "ada@lovelace.example" })
  const segmentId = newId()
  await pool().query("INSERT INTO segments (id, project_id, name) VALUES ($1, $2, 'Customers')", [
    segmentId,
    world.projectId,
  ])
  const upload = async (query: Record<string, string>) => {
    const rawBody = "email\nalan@turing.example\nnobody\n"
    const headers = { "content-type": "text/csv" }
    const params = { projectId: world.project }
    return (
      await api("POST /v1/projects/{projectId}/contacts/import", { key: world.apiKey, params, query, rawBody, headers })
    ).json.id as string
  }
  const importId = await upload({})
  const checkedImportId = await upload({ dryRun: "true" })
  await pool().query("UPDATE imports SET status = 'completed', ended_at = now(), due_at = NULL WHERE id = $1", [
    decodeId("imp", checkedImportId),
  ])
  return {
    topicId,
    propertyId,
    contactId,
    segmentId: encodeId("seg", segmentId),
    importId,
    checkedImportId,
    templateId,
  }
}

async function addBroadcasts(world: World): Promise<Broadcasts> {
  const add = async (status: string) => {
    const { status: answered, json } = await api("POST /v1/projects/{projectId}/broadcasts", {
      ...{ key: world.apiKey, params: { projectId: world.project }, body: { ...mail, draft: true } },
    })
    if (answered !== 202) throw new Error(`The broadcast was refused: ${JSON.stringify(json)}`)
    // Not due, so that a worker of a test leaves it alone.
    await pool().query("UPDATE broadcasts SET status = $2 WHERE id = $1", [decodeId("bc", json.id), status])
    return json.id as string
  }
  return {
    draftId: await add("draft"),
    pausedId: await add("paused"),
    sendingId: await add("sending"),
    scheduledBroadcastId: await add("scheduled"),
    cancellableId: await add("paused"),
  }
}

export type Example = (own: Belongings) => Pick<Call, "params" | "query" | "body" | "rawBody" | "headers" | "io">

/** A good call of every operation; `params.projectId` is filled in. The contract test fails for one that is not here. */
export const examples: Record<string, Example> = {
  sendEmail: () => ({ body: mail }),
  validateLinks: () => ({ body: { html: '<a href="mailto:ada@lovelace.example">Write to us</a>' } }),
  batchSendEmails: () => ({ body: { items: [mail] } }),
  getEmail: ({ emailId }) => ({ params: { emailId } }),
  cancelEmail: ({ scheduledId }) => ({ params: { emailId: scheduledId } }),
  rescheduleEmail: ({ scheduledId }) => ({
    params: { emailId: scheduledId },
    body: { scheduledAt: new Date(Date.now() + 2 * 3600_000).toISOString() },
  }),
  bulkCancelEmails: () => ({}),
  issueStreamToken: () => ({}),
  listProjects: () => ({}),
  getProject: () => ({}),
  getProjectSettings: () => ({}),
  getProjectCounts: () => ({}),
  findNamed: () => ({ query: { text: "news" } }),
  getProjectRegion: () => ({}),
  deleteProject: ({ projectName }) => ({ query: { name: projectName } }),
  restoreProject: () => ({}),
  suspendProject: () => ({ body: { reason: "The list of addresses is being checked." } }),
  resumeProject: () => ({}),
  updateProject: () => ({ body: { name: "Renamed" } }),
  listEmails: () => ({}),
  listRecentEvents: () => ({}),
  countRecentEvents: () => ({}),
  countEmails: () => ({ query: { search: "ada" } }),
  cancelEmails: ({ scheduledId }) => ({ body: { ids: [scheduledId] } }),
  checkRecipients: () => ({ body: { addresses: ["ada@lovelace.example"] } }),
  exportEmails: () => ({ query: { status: "queued" } }),
  getProjectEmail: ({ emailId }) => ({ params: { emailId } }),
  getEmailTimeline: ({ emailId }) => ({ params: { emailId } }),
  getEmailExplanation: ({ emailId }) => ({ params: { emailId } }),
  listEmailDeliveries: ({ emailId }) => ({ params: { emailId } }),
  getEmailRaw: ({ emailId }) => ({ params: { emailId } }),
  listApiKeys: () => ({}),
  getApiKey: ({ keyId }) => ({ params: { keyId } }),
  getOwnApiKey: () => ({}),
  getApiKeyUsage: ({ keyId }) => ({ params: { keyId } }),
  getApiKeyUsageSummary: ({ keyId }) => ({ params: { keyId } }),
  getRequest: ({ requestId }) => ({ params: { requestId } }),
  listRequests: () => ({ query: { status: "4xx" } }),
  listAuditEntries: () => ({ query: { action: "domain" } }),
  exportApiKeyUsage: ({ keyId }) => ({ params: { keyId } }),
  createApiKey: () => ({ body: { name: "New", permissions: ["emails:send"] } }),
  updateApiKey: ({ keyId }) => ({ params: { keyId }, body: { permissions: ["emails:send"] } }),
  revokeApiKey: ({ keyId }) => ({ params: { keyId } }),
  listDomains: () => ({}),
  registerDomain: () => ({ body: { domain: "second.test", region: "eu-west-1" } }),
  getDomain: ({ domainId }) => ({ params: { domainId } }),
  updateDomain: ({ pendingDomainId }) => ({
    params: { domainId: pendingDomainId },
    body: { trackingDomain: "go.waiting.test" },
  }),
  rotateDkim: ({ domainId }) => ({ params: { domainId }, io: { dns: silentDns } }),
  // Whatever else runs on this machine: an answer would change the records that the next calls need.
  verifyDomain: ({ domainId }) => ({ params: { domainId }, io: { dns: silentDns } }),
  diagnoseDomain: ({ domainId }) => ({ params: { domainId } }),
  getInstallationRecords: ({ domainId }) => ({ params: { domainId } }),
  listDomainChecks: ({ domainId }) => ({ params: { domainId } }),
  updateBimi: ({ domainId }) => ({ params: { domainId }, body: { logoUrl: null } }),
  verifyBimi: ({ domainId }) => ({ params: { domainId } }),
  getBimi: ({ domainId }) => ({ params: { domainId }, io: { dns: silentDns } }),
  getBimiLogo: ({ pendingDomainId }) => ({ params: { domainId: pendingDomainId } }),
  getDmarcSummary: ({ domainId }) => ({ params: { domainId } }),
  listDmarcReports: ({ domainId }) => ({ params: { domainId } }),
  uploadDmarcReports: ({ domainId }) => ({ params: { domainId }, rawBody: oneReport() }),
  getReportMail: ({ domainId }) => ({ params: { domainId }, io: { dns: silentDns } }),
  getTlsSummary: ({ domainId }) => ({ params: { domainId } }),
  listTlsReports: ({ domainId }) => ({ params: { domainId } }),
  uploadTlsReports: ({ domainId }) => ({ params: { domainId }, rawBody: oneTlsReport() }),
  getDomainZoneFile: ({ domainId }) => ({ params: { domainId } }),
  deleteDomain: ({ domainId }) => ({ params: { domainId } }),
  listBroadcasts: () => ({}),
  previewBroadcast: ({ segmentId }) => ({ body: { subject: "News", text: "Hi", to: [segmentId] } }),
  previewStoredBroadcast: ({ pausedId }) => ({ params: { broadcastId: pausedId }, body: {} }),
  createBroadcast: ({ segmentId }) => ({ body: { ...mail, to: [segmentId] } }),
  getBroadcast: ({ pausedId }) => ({ params: { broadcastId: pausedId } }),
  updateBroadcast: ({ draftId }) => ({ params: { broadcastId: draftId }, body: { subject: "Another subject" } }),
  deleteBroadcast: ({ draftId }) => ({ params: { broadcastId: draftId } }),
  duplicateBroadcast: ({ pausedId }) => ({ params: { broadcastId: pausedId } }),
  listBroadcastLinks: ({ pausedId }) => ({ params: { broadcastId: pausedId } }),
  sendBroadcast: ({ scheduledBroadcastId }) => ({ params: { broadcastId: scheduledBroadcastId } }),
  pauseBroadcast: ({ sendingId }) => ({ params: { broadcastId: sendingId } }),
  resumeBroadcast: ({ pausedId }) => ({ params: { broadcastId: pausedId } }),
  cancelBroadcast: ({ cancellableId }) => ({ params: { broadcastId: cancellableId } }),
  listSegments: () => ({}),
  createSegment: () => ({
    body: {
      name: "Readers",
      filter: { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] },
    },
  }),
  previewSegment: () => ({
    body: { filter: { any: [{ field: "email", operator: "ends_with", value: "@lovelace.example" }] } },
  }),
  getSegment: ({ segmentId }) => ({ params: { segmentId } }),
  updateSegment: ({ segmentId }) => ({ params: { segmentId }, body: { name: "Customers of ours" } }),
  deleteSegment: ({ segmentId }) => ({ params: { segmentId } }),
  listTemplates: () => ({}),
  createTemplate: () => ({
    body: { name: "welcome", subject: "Welcome", text: "Hello, {{contact.firstName | there}}" },
  }),
  getTemplate: ({ templateId }) => ({ params: { templateId } }),
  updateTemplate: ({ templateId }) => ({ params: { templateId }, body: { subject: "Your invoice {{number}}" } }),
  deleteTemplate: ({ templateId }) => ({ params: { templateId } }),
  publishTemplate: ({ templateId }) => ({ params: { templateId } }),
  listTemplateVersions: ({ templateId }) => ({ params: { templateId } }),
  previewTemplate: ({ templateId }) => ({ params: { templateId }, body: { variables: { number: "7" } } }),
  listTopics: () => ({}),
  createTopic: () => ({ body: { name: "News", defaultSubscription: "opt_in", visibility: "public" } }),
  getTopic: ({ topicId }) => ({ params: { topicId } }),
  updateTopic: ({ topicId }) => ({ params: { topicId }, body: { name: "Weekly news" } }),
  deleteTopic: ({ topicId }) => ({ params: { topicId } }),
  previewPreferencePage: () => ({}),
  listContactsInTopic: ({ topicId }) => ({ params: { topicId } }),
  listContactsInSegment: ({ segmentId }) => ({ params: { segmentId } }),
  uploadContactImage: ({ contactId }) => ({ params: { contactId }, rawBody: onePixel() }),
  setContactImageUrl: ({ contactId }) => ({ params: { contactId }, body: { url: "https://cdn.example.com/ada.png" } }),
  deleteContactImage: ({ contactId }) => ({ params: { contactId } }),
  importContacts: () => ({
    rawBody: "email,plan\ngrace@hopper.example,pro\n",
    headers: { "content-type": "text/csv" },
  }),
  exportContacts: () => ({}),
  listContactImports: () => ({}),
  getContactImport: ({ importId }) => ({ params: { importId } }),
  listContactImportErrors: ({ importId }) => ({ params: { importId } }),
  exportRejectedRows: ({ importId }) => ({ params: { importId } }),
  getContactImportSample: ({ checkedImportId }) => ({ params: { importId: checkedImportId } }),
  cancelContactImport: ({ importId }) => ({ params: { importId } }),
  runContactImport: ({ checkedImportId }) => ({ params: { importId: checkedImportId } }),
  listContacts: () => ({ query: { search: "lovelace" } }),
  createContact: ({ topicId, segmentId }) => ({
    body: {
      email: "grace@hopper.example",
      segments: [{ id: segmentId }],
      topics: [{ id: topicId, subscription: "opt_in" }],
    },
  }),
  upsertContact: () => ({ body: { email: "ada@lovelace.example", firstName: "Ada" } }),
  getContact: ({ contactId }) => ({ params: { contactId } }),
  updateContact: ({ contactId }) => ({ params: { contactId }, body: { lastName: "Lovelace" } }),
  deleteContact: ({ contactId }) => ({ params: { contactId } }),
  listContactSegments: ({ contactId }) => ({ params: { contactId } }),
  addContactToSegment: ({ contactId, segmentId }) => ({ params: { contactId }, body: { segmentId } }),
  removeContactFromSegment: ({ contactId, segmentId }) => ({ params: { contactId, segmentId } }),
  getContactTopics: ({ contactId }) => ({ params: { contactId } }),
  updateContactTopics: ({ contactId, topicId }) => ({
    params: { contactId },
    body: { topics: [{ id: topicId, subscription: "opt_out" }] },
  }),
  getContactActivity: ({ contactId }) => ({ params: { contactId } }),
  getContactEngagementScore: ({ contactId }) => ({ params: { contactId } }),
  refreshContactEngagementScore: ({ contactId }) => ({ params: { contactId } }),
  getContactEmailValidationStatus: ({ contactId }) => ({ params: { contactId }, io: { dns: silentDns } }),
  recordContactEmailValidation: ({ contactId }) => ({
    params: { contactId },
    body: { status: "valid", reason: "own check" },
  }),
  listContactProperties: () => ({}),
  createContactProperty: () => ({ body: { key: "visits", type: "number", fallbackValue: "0" } }),
  getContactProperty: ({ propertyId }) => ({ params: { propertyId } }),
  listContactPropertyValues: ({ propertyId }) => ({ params: { propertyId } }),
  updateContactProperty: ({ propertyId }) => ({ params: { propertyId }, body: { fallbackValue: "free" } }),
  deleteContactProperty: ({ propertyId }) => ({ params: { propertyId } }),
  getMetricsAdvisor: () => ({}),
  getMetricsBreakdown: () => ({ query: { by: "provider", compare: "previous" } }),
  getProjectMetricsSummary: () => ({}),
  getProjectMetricsTimeline: () => ({}),
  getEmailPerformance: ({ emailId }) => ({ params: { id: emailId } }),
  getEmailEngagement: ({ emailId }) => ({ params: { id: emailId } }),
  getTopicPerformance: ({ topicId }) => ({ params: { id: topicId } }),
  ...webhookExamples,
  listSuppressions: () => ({ query: { reason: "manual" } }),
  addSuppression: () => ({ body: { email: "gone@lovelace.example" } }),
  exportSuppressions: () => ({}),
  removeSuppression: () => ({ params: { email: "suppressed@lovelace.example" } }),
  importSuppressions: () => ({ body: { suppressions: [{ email: "bounced@lovelace.example", reason: "bounce" }] } }),
  listSandboxMessages: () => ({}),
  clearSandbox: () => ({}),
  listInboundRoutes: () => ({}),
  createInboundRoute: () => ({ body: { match: "reply+*", domain: "acme.test" } }),
  getInboundRoute: ({ routeId }) => ({ params: { routeId } }),
  updateInboundRoute: ({ routeId }) => ({ params: { routeId }, body: { keepDays: 90 } }),
  deleteInboundRoute: ({ routeId }) => ({ params: { routeId } }),
  listReceivedEmails: () => ({}),
  getReceivedEmail: ({ inboundId }) => ({ params: { inboundId } }),
  getReceivedEmailRaw: ({ inboundId }) => ({ params: { inboundId } }),
  getReceivedAttachment: ({ inboundId }) => ({ params: { inboundId, number: "1" } }),
  deliverReceivedEmail: ({ inboundId }) => ({ params: { inboundId } }),
  listReturnedMails: ({ emailId }) => ({ params: { emailId } }),
  getReturnedMailRaw: ({ emailId, returnedMailId: mailId }) => ({ params: { emailId, mailId } }),
  listOperatorMails: () => ({}),
  getOperatorMail: ({ operatorMailId: mailId }) => ({ params: { mailId } }),
  getOperatorMailRaw: ({ operatorMailId: mailId }) => ({ params: { mailId } }),
  listOperatorRegions: () => ({}),
  createLoopTest: () => ({ body: { region: "eu-west-1" } }),
  listEgressAddresses: () => ({}),
  createEgressAddress: () => ({ body: { region: "eu-west-1", address: "203.0.113.5", ehloName: "out1.mail.example" } }),
  getEgressAddress: ({ egressAddressId: addressId }) => ({ params: { addressId } }),
  updateEgressAddress: ({ egressAddressId: addressId }) => ({ params: { addressId }, body: { paused: true } }),
  deleteEgressAddress: ({ egressAddressId: addressId }) => ({ params: { addressId } }),
  listProjectPools: () => ({}),
  setProjectPool: ({ project: projectId }) => ({ body: { projectId, pool: "news" } }),
  listDestinations: () => ({ query: { region: "eu-west-1" } }),
  getDestination: ({ destinationId }) => ({ params: { destinationId } }),
  updateDestination: ({ destinationId }) => ({ params: { destinationId }, body: { connections: 3 } }),
  controlDestination: ({ destinationId }) => ({ params: { destinationId }, body: { action: "pause" } }),
  listWaitingDestinations: () => ({}),
  getSendingSetup: () => ({}),
  checkSendingSetup: () => ({}),
  readReceivedHeaders: () => ({ body: { headers: "From: ada@lovelace.example\n" } }),
  listOperatorNotices: () => ({}),
  markOperatorNoticesRead: () => ({ body: { upTo: "2026-11-27T09:30:00.000Z" } }),
  listPersonNotices: () => ({}),
  markPersonNoticesRead: () => ({ body: { upTo: "2026-11-27T09:30:00.000Z" } }),
  getNoticeTarget: () => ({}),
  setNoticeTarget: () => ({ body: { url: "https://hooks.example.com/services/notices" } }),
  testNoticeTarget: () => ({}),
  deleteNoticeTarget: () => ({}),
  confirmSetupRow: () => ({ body: { key: "postmaster_tools", confirmed: true } }),
  createRelayTest: () => ({ body: { region: "eu-west-1", to: "ada@lovelace.example" } }),
  getSandboxMessage: ({ messageId }) => ({ params: { messageId } }),
  deleteSandboxMessage: ({ messageId }) => ({ params: { messageId } }),
  getSession: () => ({}),
  updateSession: () => ({ body: { name: "Ada Lovelace" } }),
  changePassword: () => ({ body: { currentPassword: "a good long password", newPassword: "another good long one" } }),
  listSessions: () => ({}),
  listPasskeys: () => ({}),
  beginPasskey: () => ({}),
  createPasskey: ({ newPasskey }) => ({ body: newPasskey }),
  updatePasskey: ({ passkeyId }) => ({ params: { passkeyId }, body: { name: "Security key" } }),
  deletePasskey: ({ passkeyId }) => ({ params: { passkeyId } }),
  beginPasskeySignIn: () => ({}),
  getSecondFactor: () => ({}),
  beginTotpSetup: () => ({}),
  confirmTotpSetup: ({ totpSecret }) => ({ body: { code: totpCode(Buffer.from(totpSecret), totpStepAt(new Date())) } }),
  disableTotp: () => ({}),
  // Of whoever has confirmed the app before.
  createRecoveryCodes: () => ({}),
  endSession: ({ otherSessionId }) => ({ params: { sessionId: otherSessionId } }),
  endSessions: () => ({}),
  confirmSession: () => ({ body: { password: "a good long password" } }),
  createProject: () => ({ body: { name: "Second", slug: `second-${newId().slice(-12)}`, region: "eu-west-1" } }),
  rotateApiKey: ({ keyId }) => ({ params: { keyId }, body: { overlapHours: 24 } }),
  listMembers: () => ({}),
  getMemberPolicy: () => ({}),
  updateOrganization: () => ({ body: { name: "Acme and Sons" } }),
  updateMemberPolicy: () => ({ body: { secondFactorRequired: true } }),
  updateMember: ({ memberId }) => ({ params: { userId: memberId }, body: { role: "developer" } }),
  removeMember: ({ memberId }) => ({ params: { userId: memberId } }),
  listInvites: () => ({}),
  createInvite: () => ({ body: { email: "new@example.com", role: "developer" } }),
  revokeInvite: ({ inviteId }) => ({ params: { inviteId } }),
  joinOrganization: ({ inviteToken }) => ({ body: { token: inviteToken } }),
}

function oneReport(): FormData {
  const form = new FormData()
  form.append("files", new Blob([reportOf({ domain: "acme.test" })]), "report.xml")
  return form
}

function oneTlsReport(): FormData {
  const form = new FormData()
  form.append("files", new Blob([tlsReportOf({ domain: "acme.test" })]), "report.json")
  return form
}

function onePixel(): FormData {
  const form = new FormData()
  const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7", "base64")
  form.append("file", new Blob([new Uint8Array(gif)]), "pixel.gif")
  return form
}
