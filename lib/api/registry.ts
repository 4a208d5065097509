import type { z } from "zod"
import type { Endpoint, PathParams, Route } from "@/lib/platform/http/endpoint"
import { listAuditEntries } from "@/lib/access/audit/list-audit-entries"
import { acceptInvite } from "@/lib/access/invites/accept-invite"
import { confirmSession } from "@/lib/access/credentials/confirm-session"
import { createInvite } from "@/lib/access/invites/create-invite"
import { joinOrganization } from "@/lib/access/invites/join-organization"
import { listInvites } from "@/lib/access/invites/list-invites"
import { listMembers } from "@/lib/access/people/list-members"
import { removeMember } from "@/lib/access/people/remove-member"
import { revokeInvite } from "@/lib/access/invites/revoke-invite"
import { updateMember } from "@/lib/access/people/update-member"
import { changePassword } from "@/lib/access/credentials/change-password"
import { endSessions } from "@/lib/access/credentials/end-sessions"
import { getSession } from "@/lib/access/credentials/get-session"
import { updateSession } from "@/lib/access/credentials/update-session"
import { requestSignInLink } from "@/lib/access/credentials/request-sign-in-link"
import { createApiKey } from "@/lib/api-keys/create-api-key"
import { exportApiKeyUsage } from "@/lib/api-keys/export-api-key-usage"
import { getApiKey } from "@/lib/api-keys/get-api-key"
import { getApiKeyUsage } from "@/lib/api-keys/get-api-key-usage"
import { getApiKeyUsageSummary } from "@/lib/api-keys/get-api-key-usage-summary"
import { listRequests } from "@/lib/api-keys/list-requests"
import { getOwnApiKey } from "@/lib/api-keys/get-own-api-key"
import { listApiKeys } from "@/lib/api-keys/list-api-keys"
import { revokeApiKey } from "@/lib/api-keys/revoke-api-key"
import { rotateApiKey } from "@/lib/api-keys/rotate-api-key"
import { updateApiKey } from "@/lib/api-keys/update-api-key"
import { cancelBroadcast } from "@/lib/broadcasts/cancel-broadcast"
import { createBroadcast } from "@/lib/broadcasts/create-broadcast"
import { deleteBroadcast } from "@/lib/broadcasts/delete-broadcast"
import { getBroadcast } from "@/lib/broadcasts/get-broadcast"
import { listBroadcasts } from "@/lib/broadcasts/list-broadcasts"
import { pauseBroadcast } from "@/lib/broadcasts/pause-broadcast"
import { resumeBroadcast } from "@/lib/broadcasts/resume-broadcast"
import { sendBroadcast } from "@/lib/broadcasts/send-broadcast"
import { updateBroadcast } from "@/lib/broadcasts/update-broadcast"
import { addContactToSegment, listContactSegments, removeContactFromSegment } from "@/lib/contacts/contact-segments"
import { getContactEmailValidationStatus, recordContactEmailValidation } from "@/lib/contacts/contact-email-validation"
import { getContactEngagementScore, refreshContactEngagementScore } from "@/lib/contacts/engagement/contact-engagement"
import { getContactTopics, updateContactTopics } from "@/lib/contacts/contact-topics"
import { createContact } from "@/lib/contacts/create-contact"
import { deleteContact } from "@/lib/contacts/delete-contact"
import { deleteContactImage } from "@/lib/contacts/images/delete-contact-image"
import { exportContacts } from "@/lib/contacts/export-contacts"
import { getContact } from "@/lib/contacts/get-contact"
import { getContactActivity } from "@/lib/contacts/get-contact-activity"
import { cancelContactImport } from "@/lib/contacts/imports/cancel-contact-import"
import { getContactImport } from "@/lib/contacts/imports/get-contact-import"
import { importContacts } from "@/lib/contacts/imports/import-contacts"
import { listContactImportErrors } from "@/lib/contacts/imports/list-contact-import-errors"
import { listContactImports } from "@/lib/contacts/imports/list-contact-imports"
import { runContactImport } from "@/lib/contacts/imports/run-contact-import"
import { listContacts } from "@/lib/contacts/list-contacts"
import { listContactsInSegment } from "@/lib/contacts/list-segment-members"
import { setContactImageUrl } from "@/lib/contacts/images/set-contact-image-url"
import { updateContact } from "@/lib/contacts/update-contact"
import { uploadContactImage } from "@/lib/contacts/images/upload-contact-image"
import { upsertContact } from "@/lib/contacts/upsert-contact"
import { createContactProperty } from "@/lib/contact-properties/create-contact-property"
import { deleteContactProperty } from "@/lib/contacts/properties/delete-contact-property"
import { getContactProperty } from "@/lib/contact-properties/get-contact-property"
import { listContactProperties } from "@/lib/contact-properties/list-contact-properties"
import { updateContactProperty } from "@/lib/contact-properties/update-contact-property"
import { getBimi, getBimiLogo } from "@/lib/domains/bimi/get-bimi"
import { updateBimi } from "@/lib/domains/bimi/update-bimi"
import { verifyBimi } from "@/lib/domains/bimi/verify-bimi"
import { createDomain } from "@/lib/domains/registration/create-domain"
import { deleteDomain } from "@/lib/domains/registration/delete-domain"
import { diagnoseDomain } from "@/lib/domains/diagnosis/diagnose-domain"
import { getInstallationRecords } from "@/lib/domains/installation/get-installation-records"
import { getDmarcSummary } from "@/lib/domains/dmarc/get-dmarc-summary"
import { listDmarcReports } from "@/lib/domains/dmarc/list-dmarc-reports"
import { uploadDmarcReports } from "@/lib/domains/dmarc/upload-dmarc-reports"
import { getDomain } from "@/lib/domains/get-domain"
import { getZoneFile } from "@/lib/domains/records/get-zone-file"
import { listDomainChecks } from "@/lib/domains/check/list-domain-checks"
import { listDomains } from "@/lib/domains/list-domains"
import { rotateDkim } from "@/lib/domains/rotation/rotate-dkim"
import { updateDomain } from "@/lib/domains/registration/update-domain"
import { verifyDomain } from "@/lib/domains/check/verify-domain"
import { batchSendEmails } from "@/lib/emails/batch-send-emails"
import { cancelEmails } from "@/lib/delivery/scheduling/cancel-emails"
import { bulkCancelEmails, cancelEmail } from "@/lib/delivery/scheduling/cancel-email"
import { checkRecipients } from "@/lib/emails/check-recipients"
import { countEmails } from "@/lib/emails/count-emails"
import { exportEmails } from "@/lib/emails/export-emails"
import { getEmail, getProjectEmail } from "@/lib/emails/get-email"
import { getEmailRaw, getEmailTimeline, listEmailDeliveries } from "@/lib/emails/get-email-timeline"
import { listEmails } from "@/lib/emails/list-emails"
import { rescheduleEmail } from "@/lib/emails/reschedule-email"
import { validateLinks } from "@/lib/emails/links/validate-links"
import { sendEmail } from "@/lib/emails/send-email"
import { getMetricsAdvisor } from "@/lib/metrics/advisor/get-metrics-advisor"
import { getMetricsBreakdown } from "@/lib/metrics/get-metrics-breakdown"
import { getEmailExplanation } from "@/lib/explanation/get-email-explanation"
import { getProjectCounts } from "@/lib/metrics/get-project-counts"
import { getProjectMetricsSummary } from "@/lib/metrics/get-project-metrics-summary"
import { getProjectMetricsTimeline } from "@/lib/metrics/get-project-metrics-timeline"
import { getEmailEngagement } from "@/lib/metrics/get-email-engagement"
import { getEmailPerformance } from "@/lib/metrics/get-email-performance"
import { getTopicPerformance } from "@/lib/metrics/get-topic-performance"
import { createProject } from "@/lib/projects/create-project"
import { deleteProject } from "@/lib/projects/delete-project"
import { getProject } from "@/lib/projects/get-project"
import { getProjectRegion } from "@/lib/delivery/regions/get-project-region"
import { getProjectSettings } from "@/lib/projects/get-project-settings"
import { listProjects } from "@/lib/projects/list-projects"
import { restoreProject } from "@/lib/projects/restore-project"
import { resumeProject } from "@/lib/projects/resume-project"
import { setUp } from "@/lib/projects/set-up"
import { suspendProject } from "@/lib/projects/suspend-project"
import { updateProject } from "@/lib/projects/update-project"
import { getSandboxMessage } from "@/lib/sandbox/get-sandbox-message"
import { listSandboxMessages } from "@/lib/sandbox/list-sandbox-messages"
import { createSegment } from "@/lib/segments/create-segment"
import { deleteSegment } from "@/lib/segments/delete-segment"
import { getSegment } from "@/lib/segments/get-segment"
import { listSegments } from "@/lib/segments/list-segments"
import { previewSegment } from "@/lib/segments/preview-segment"
import { updateSegment } from "@/lib/segments/update-segment"
import { countRecentEvents } from "@/lib/stream/count-recent-events"
import { issueStreamToken } from "@/lib/stream/issue-stream-token"
import { listRecentEvents } from "@/lib/stream/list-recent-events"
import { streamEmailEvents } from "@/lib/stream/stream-email-events"
import { createTopic } from "@/lib/topics/create-topic"
import { deleteTopic } from "@/lib/segments/delete-topic"
import { getTopic } from "@/lib/topics/get-topic"
import { listContactsInTopic } from "@/lib/topics/list-topic-contacts"
import { listTopics } from "@/lib/topics/list-topics"
import { updateTopic } from "@/lib/topics/update-topic"
import { previewPreferencePage } from "@/lib/tracking/preview-preference-page"
import { addSuppression } from "@/lib/suppressions/add-suppression"
import { exportSuppressions } from "@/lib/suppressions/export-suppressions"
import { importSuppressions } from "@/lib/suppressions/import-suppressions"
import { listSuppressions } from "@/lib/suppressions/list-suppressions"
import { removeSuppression } from "@/lib/suppressions/remove-suppression"
import { createWebhook } from "@/lib/webhooks/create-webhook"
import { deleteWebhook } from "@/lib/webhooks/delete-webhook"
import { getWebhook } from "@/lib/webhooks/get-webhook"
import { getWebhookHealth } from "@/lib/webhooks/get-webhook-health"
import { previewWebhook } from "@/lib/webhooks/preview-webhook"
import { listWebhooks } from "@/lib/webhooks/list-webhooks"
import { rotateWebhookSecret } from "@/lib/webhooks/rotate-webhook-secret"
import { listWebhookDeliveries } from "@/lib/webhooks/list-webhook-deliveries"
import { getWebhookDelivery } from "@/lib/webhooks/get-webhook-delivery"
import { testWebhook } from "@/lib/webhooks/test-webhook"
import { replayWebhookDelivery } from "@/lib/webhooks/replay-webhook-delivery"
import { replayWebhookDeliveries } from "@/lib/webhooks/replay-webhook-deliveries"
import { updateWebhook } from "@/lib/webhooks/update-webhook"

/** Every operation of the API, in the order of the reference. */
export const operations = [
  sendEmail,
  validateLinks,
  bulkCancelEmails,
  getEmail,
  cancelEmail,
  rescheduleEmail,
  batchSendEmails,
  issueStreamToken,
  streamEmailEvents,
  listRecentEvents,
  countRecentEvents,
  getMetricsAdvisor,
  getMetricsBreakdown,
  getProjectMetricsSummary,
  getProjectMetricsTimeline,
  getTopicPerformance,
  getEmailPerformance,
  getEmailEngagement,
  listSuppressions,
  addSuppression,
  exportSuppressions,
  removeSuppression,
  importSuppressions,
  listBroadcasts,
  createBroadcast,
  getBroadcast,
  updateBroadcast,
  deleteBroadcast,
  sendBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  cancelBroadcast,
  listSegments,
  createSegment,
  previewSegment,
  getSegment,
  updateSegment,
  deleteSegment,
  listContactsInSegment,
  listTopics,
  createTopic,
  getTopic,
  updateTopic,
  deleteTopic,
  listContactsInTopic,
  previewPreferencePage,
  listContactProperties,
  createContactProperty,
  getContactProperty,
  updateContactProperty,
  deleteContactProperty,
  listContacts,
  createContact,
  upsertContact,
  importContacts,
  exportContacts,
  listContactImports,
  getContactImport,
  listContactImportErrors,
  cancelContactImport,
  runContactImport,
  getContact,
  updateContact,
  deleteContact,
  listContactSegments,
  addContactToSegment,
  getContactTopics,
  updateContactTopics,
  uploadContactImage,
  setContactImageUrl,
  deleteContactImage,
  removeContactFromSegment,
  getContactActivity,
  getContactEngagementScore,
  getContactEmailValidationStatus,
  recordContactEmailValidation,
  refreshContactEngagementScore,
  listWebhooks,
  createWebhook,
  getWebhook,
  getWebhookHealth,
  previewWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeliveries,
  getWebhookDelivery,
  testWebhook,
  replayWebhookDelivery,
  replayWebhookDeliveries,
  listProjects,
  createProject,
  getProject,
  updateProject,
  deleteProject,
  restoreProject,
  suspendProject,
  resumeProject,
  getProjectSettings,
  getProjectRegion,
  getProjectCounts,
  listApiKeys,
  createApiKey,
  getApiKey,
  getOwnApiKey,
  updateApiKey,
  rotateApiKey,
  revokeApiKey,
  getApiKeyUsage,
  exportApiKeyUsage,
  getApiKeyUsageSummary,
  listRequests,
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
  listDomains,
  createDomain,
  getDomain,
  updateDomain,
  deleteDomain,
  verifyDomain,
  getZoneFile,
  diagnoseDomain,
  getInstallationRecords,
  listDomainChecks,
  rotateDkim,
  verifyBimi,
  updateBimi,
  getBimi,
  getBimiLogo,
  getDmarcSummary,
  listDmarcReports,
  uploadDmarcReports,
  listSandboxMessages,
  getSandboxMessage,
  setUp,
  getSession,
  updateSession,
  changePassword,
  endSessions,
  requestSignInLink,
  confirmSession,
  joinOrganization,
  listMembers,
  updateMember,
  removeMember,
  listInvites,
  createInvite,
  revokeInvite,
  acceptInvite,
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
