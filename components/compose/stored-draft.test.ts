import { expect, it } from "vitest"
import type { Broadcast } from "@/components/broadcasts/queries"
import { noFields } from "@/components/compose/fields"
import { draftChange } from "@/components/compose/broadcast"
import { fieldsOfBroadcast } from "@/components/compose/drafts"

const segment = "seg_01k9q3f7c2e8m9v4x6y8z0a1b3"
const draft = {
  ...{ id: "bc_1", status: "draft", from: "Acme <a@acme.test>", to: [segment], subject: "News", topicId: "top_1" },
  ...{
    html: "<p>Hi {{contact.firstName | there}}</p>",
    placeholders: true,
    sendTimeCategory: "digest",
    testMode: false,
  },
  ...{ tags: { month: "may" }, trackingSettings: { openTracking: true } },
} as unknown as Broadcast

it("a draft on the server is shown with all of its fields, and saved without a change as it was", () => {
  const fields = fieldsOfBroadcast(draft)
  expect(fields).toMatchObject({ to: segment, subject: "News", topicId: "top_1", sendTimeCategory: "digest" })
  expect(draftChange(fields, draft)).toMatchObject({
    ...{ from: draft.from, to: [segment], subject: "News", html: draft.html, text: null, placeholders: true },
    ...{ topicId: "top_1", tags: { month: "may" }, trackingSettings: { openTracking: true }, scheduledAt: null },
  })
})

it("what is emptied in the form is cleared, and attachments and a template stay unless others are chosen", () => {
  const template = { id: "tpl_1", name: "news", version: 1, variables: { issue: "7" }, isPersonal: true }
  const emptied = draftChange({ ...noFields, from: draft.from, to: segment, subject: "News", text: "Hi" }, draft)
  expect(emptied).toMatchObject({ html: null, tags: null, topicId: null, trackingSettings: null, placeholders: false })
  expect(emptied).not.toHaveProperty("attachments")
  const made = { ...draft, template }
  const fields = fieldsOfBroadcast(made)
  expect(fields).toMatchObject({ template: "tpl_1", templateValues: { issue: "7" }, html: "" })
  for (const name of ["template", "subject", "html", "text"]) expect(draftChange(fields, made)).not.toHaveProperty(name)
  expect(draftChange({ ...fields, templateValues: { issue: "8" } }, made)).toMatchObject({
    template: { id: "tpl_1", variables: { issue: "8" } },
  })
  expect(draftChange({ ...fields, template: "", subject: "Own", text: "Hi" }, made)).toMatchObject({
    ...{ template: null, subject: "Own", text: "Hi" },
  })
})
