import { z } from "zod"
import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { checkAddress } from "@/lib/contacts/address-check"
import { contactExists } from "@/lib/contacts/data"
import * as validation from "@/lib/contacts/insight/data"
import { latestActivity } from "@/lib/contacts/insight/data"
import { Activity, contactMissing, EmailValidation, ValidationRecord } from "@/lib/contacts/schema"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

const entriesMax = 10

export const getContactActivity = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/activity",
  operationId: "getContactActivity",
  tag: "Contacts",
  summary: "Last 10 activity entries",
  description:
    "Newest first: email to the address, changes of segments and topics, suppressions, and the creation. Opens by machines are excluded.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId: { prefix: "con", missing: contactMissing } },
  answers: [200, z.array(Activity)],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    if (!(await contactExists(scope, path.contactId))) throw contactMissing()
    return latestActivity(scope, path.contactId, entriesMax)
  },
})

const contactId = { prefix: "con", missing: contactMissing } as const

export const getContactEmailValidationStatus = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/email-validation",
  operationId: "getContactEmailValidationStatus",
  tag: "Contacts",
  summary: "Contact email validation status",
  description:
    "The recorded result, or else our own, which is stored: whether the domain accepts email (checked for at most 3 s, cached for an hour), whether it is disposable, and whether the address is a role such as `info`. No mail server is asked about a mailbox.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, EmailValidation],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }, io) {
    const found = await validation.findValidation(scope, path.contactId)
    if (!found) throw contactMissing()
    const { email, ...recorded } = found
    if (recorded.validatedAt) return recorded
    const verdict = await checkAddress(email, io)
    if (verdict.status === "unknown") return { ...recorded, ...verdict }
    const now = io.clock.now()
    await validation.keepVerdict(scope, path.contactId, verdict, now)
    return { ...recorded, ...verdict, validatedAt: now }
  },
})

export const recordContactEmailValidation = endpoint({
  route: "POST /v1/projects/{projectId}/contacts/{contactId}/email-validation",
  operationId: "recordContactEmailValidation",
  tag: "Contacts",
  summary: "Record validation result",
  description: "Records the result of your own check. It replaces any earlier result and is written to the audit log.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId },
  body: ValidationRecord,
  answers: [204],
  problems: [requestInvalid, projectMissing, contactMissing],
  example: { body: { status: "valid", reason: "Confirmed by our own form" } },

  async run(scope, { path, body }, { clock }) {
    if (!(await validation.recordVerdict(scope, path.contactId, body, clock.now()))) throw contactMissing()
  },
})
