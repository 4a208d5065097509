import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { z } from "zod"
import { preferencesOf } from "@/lib/contacts/plan"
import { topicStates } from "@/lib/contacts/preferences-store"
import { contactMissing } from "@/lib/contacts/problems"
import { PreferenceChange } from "@/lib/contacts/schema"
import { contactExists } from "@/lib/contacts/store"
import { changePreferences } from "@/lib/contacts/write-store"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { TopicSubscription } from "@/lib/topics/schema"

const contactId = { prefix: "con", missing: contactMissing } as const

export const getContactTopics = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/{contactId}/topics",
  operationId: "getContactTopics",
  tag: "Contacts",
  summary: "Get topic subscriptions of contact",
  description: "One entry for each topic of the project: the contact's own preference, or else the topic's default.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  path: { contactId },
  answers: [200, z.array(TopicSubscription)],
  problems: [projectMissing, contactMissing],

  async run(scope, { path }) {
    if (!(await contactExists(scope, path.contactId))) throw contactMissing()
    const states = await topicStates(scope, { contactId: path.contactId })
    return states.map(({ topicId, subscription }) => ({ topicId, subscription }))
  },
})

export const updateContactTopics = endpoint({
  route: "PATCH /v1/projects/{projectId}/contacts/{contactId}/topics",
  operationId: "updateContactTopics",
  tag: "Contacts",
  summary: "Update topic subscriptions of contact",
  description: "Sets the contact's own preference for the listed topics; all others are unchanged.",
  access: allow("contacts:write"),
  bucket: buckets.contacts,
  path: { contactId },
  body: PreferenceChange,
  answers: [204],
  problems: [requestInvalid, projectMissing, contactMissing],
  example: { body: { topics: [{ id: "top_01k9q3f7c2e8m9v4x6y8z0a1b3", subscription: "opt_out" }] } },

  async run(scope, { path, body }) {
    if (!(await contactExists(scope, path.contactId))) throw contactMissing()
    const wanted = await preferencesOf(scope, body.topics)
    if (!(await changePreferences(scope, path.contactId, wanted))) throw contactMissing()
  },
})
