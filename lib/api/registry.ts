import type { z } from "zod"
import type { Endpoint, PathParams, Route } from "@/lib/platform/http/endpoint"
import { listAuditEntries } from "@/lib/access/audit/api"
import { sessionOperations } from "@/lib/access/credentials/api"
import { inviteOperations, joinOrganization } from "@/lib/access/invites/api"
import { passkeyOperations } from "@/lib/access/passkeys/api"
import { memberOperations } from "@/lib/access/people/api"
import { secondFactorOperations } from "@/lib/access/second-factor/api"
import { openSessionOperations } from "@/lib/access/sessions/api"
import { updateOrganization, memberPolicyOperations } from "@/lib/access/organization/api"
import { apiKeyOperations } from "@/lib/api-keys/api"
import { usageOperations } from "@/lib/api-keys/usage/api"
import { broadcastOperations, broadcastLinkOperations } from "@/lib/broadcasts/api"
import { broadcastPreviewOperations } from "@/lib/broadcasts/preview/api"
import { broadcastStepOperations } from "@/lib/broadcasts/sending/api"
import { contactPropertyOperations } from "@/lib/contact-properties/api"
import {
  createContact,
  deleteContact,
  deleteContactProperty,
  exportContacts,
  getContact,
  listContacts,
  updateContact,
  upsertContact,
  getContactEngagementScore,
  refreshContactEngagementScore,
} from "@/lib/contacts/api"
import { contactImageOperations } from "@/lib/contacts/images/api"
import { contactImportOperations } from "@/lib/contacts/imports/api"
import { importContacts } from "@/lib/contacts/imports/import-contacts"
import {
  getContactActivity,
  getContactEmailValidationStatus,
  recordContactEmailValidation,
} from "@/lib/contacts/insight/api"
import {
  addContactToSegment,
  getContactTopics,
  listContactSegments,
  listContactsInSegment,
  removeContactFromSegment,
  updateContactTopics,
} from "@/lib/contacts/memberships/api"
import { destinationOperations, listWaitingDestinations } from "@/lib/delivery/destinations/api"
import { getProjectRegion } from "@/lib/delivery/regions/api"
import { bulkCancelEmails, cancelEmail, cancelEmails } from "@/lib/delivery/scheduling/api"
import { bimiOperations } from "@/lib/domains/bimi/api"
import { domainOperations, listDomainChecks, getInstallationRecords } from "@/lib/domains/api"
import { dmarcOperations } from "@/lib/domains/dmarc/api"
import { diagnoseDomain } from "@/lib/domains/diagnosis/api"
import { getReportMail, operatorMailOperations, returnedMailOperations } from "@/lib/inbound/api"
import { tlsReportOperations } from "@/lib/domains/tls-reports/api"
import { rotateDkim } from "@/lib/domains/keys/api"
import {
  getEmail,
  getEmailRaw,
  getEmailTimeline,
  getProjectEmail,
  listEmailDeliveries,
  rescheduleEmail,
} from "@/lib/emails/api"
import { validateLinks } from "@/lib/emails/links/api"
import { countEmails, exportEmails, listEmails } from "@/lib/emails/log/api"
import { batchSendEmails, checkRecipients, sendEmail } from "@/lib/emails/send/api"
import { templateOperations } from "@/lib/emails/templates/api"
import { getEmailExplanation } from "@/lib/explanation/api"
import { egressOperations } from "@/lib/delivery/egress/api"
import { noticeOperations } from "@/lib/delivery/notices/api"
import { setupOperations, headerOperations } from "@/lib/delivery/setup/api"
import { getMetricsAdvisor } from "@/lib/metrics/advisor/api"
import { getProjectCounts, metricOperations } from "@/lib/metrics/api"
import { emailMetricOperations } from "@/lib/metrics/emails/api"
import { projectOperations, setUp } from "@/lib/projects/api"
import { receivedOperations } from "@/lib/received/api"
import { inboundRouteOperations } from "@/lib/received/routes/api"
import { sandboxOperations } from "@/lib/sandbox/api"
import { findNamed } from "@/lib/search/api"
import { deleteTopic, segmentOperations } from "@/lib/segments/api"
import { streamOperations } from "@/lib/stream/api"
import { suppressionOperations } from "@/lib/suppressions/api"
import { topicOperations } from "@/lib/topics/api"
import { previewPreferencePage } from "@/lib/tracking/api"
import { webhookOperations } from "@/lib/webhooks/api"
import { webhookHistoryOperations } from "@/lib/webhooks/history/api"

/**
 * Every operation of the API, in the order of the reference: what an area exports, and beside it single operations that live
 * in a higher area, because they also change what is there.
 */
export const operations = [
  sendEmail,
  validateLinks,
  bulkCancelEmails,
  getEmail,
  cancelEmail,
  rescheduleEmail,
  batchSendEmails,
  ...streamOperations,
  getMetricsAdvisor,
  ...metricOperations,
  ...emailMetricOperations,
  ...suppressionOperations,
  ...broadcastOperations,
  ...broadcastStepOperations,
  ...broadcastPreviewOperations,
  ...broadcastLinkOperations,
  ...templateOperations,
  ...segmentOperations,
  listContactsInSegment,
  ...topicOperations,
  deleteTopic,
  previewPreferencePage,
  ...contactPropertyOperations,
  deleteContactProperty,
  listContacts,
  createContact,
  upsertContact,
  importContacts,
  exportContacts,
  ...contactImportOperations,
  getContact,
  updateContact,
  deleteContact,
  listContactSegments,
  addContactToSegment,
  getContactTopics,
  updateContactTopics,
  ...contactImageOperations,
  removeContactFromSegment,
  getContactActivity,
  getContactEngagementScore,
  getContactEmailValidationStatus,
  recordContactEmailValidation,
  refreshContactEngagementScore,
  ...webhookOperations,
  ...webhookHistoryOperations,
  ...inboundRouteOperations,
  ...receivedOperations,
  ...projectOperations,
  getProjectRegion,
  getProjectCounts,
  findNamed,
  ...apiKeyOperations,
  ...usageOperations,
  listAuditEntries,
  listEmails,
  countEmails,
  cancelEmails,
  checkRecipients,
  exportEmails,
  getProjectEmail,
  getEmailTimeline,
  listEmailDeliveries,
  getEmailExplanation,
  getEmailRaw,
  ...domainOperations,
  diagnoseDomain,
  getInstallationRecords,
  listDomainChecks,
  rotateDkim,
  ...bimiOperations,
  ...dmarcOperations,
  ...tlsReportOperations,
  getReportMail,
  ...returnedMailOperations,
  ...operatorMailOperations,
  ...egressOperations,
  ...noticeOperations,
  ...setupOperations,
  ...headerOperations,
  ...destinationOperations,
  listWaitingDestinations,
  ...sandboxOperations,
  setUp,
  ...sessionOperations,
  ...openSessionOperations,
  ...secondFactorOperations,
  ...passkeyOperations,
  joinOrganization,
  updateOrganization,
  ...memberPolicyOperations,
  ...memberOperations,
  ...inviteOperations,
] as const

type Operation = (typeof operations)[number]
type ByRoute = { [O in Operation as O["route"]]: O }

type QueryWire<O> = O extends { query?: infer Q }
  ? Q extends Record<string, z.ZodType>
    ? { [K in keyof Q]?: unknown }
    : {}
  : {}
type BodyWire<O> = O extends { body?: infer B } ? (B extends z.ZodType ? z.input<B> : undefined) : undefined
type AnswerWire<O> = O extends { answers: readonly [number, infer S, ...unknown[]] }
  ? S extends z.ZodType
    ? z.input<S>
    : null
  : null

/** The API as types: for each route its path parameters, query, body and answer, in wire form. */
export type Api = {
  [R in keyof ByRoute]: {
    params: Record<PathParams<R & Route>, string>
    query: QueryWire<ByRoute[R]>
    body: BodyWire<ByRoute[R]>
    answer: AnswerWire<ByRoute[R]>
  }
}

/** The same list for the kernel, which handles operations without their type parameters. */
export const endpoints: readonly Endpoint[] = operations as readonly unknown[] as readonly Endpoint[]
