import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { z } from "zod"
import { latestActivity } from "@/lib/contacts/activity-sql"
import { contactMissing } from "@/lib/contacts/problems"
import { Activity } from "@/lib/contacts/schema"
import { contactExists } from "@/lib/contacts/store"
import { endpoint } from "@/lib/platform/http/endpoint"

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
