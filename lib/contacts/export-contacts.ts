import { buckets } from "@/lib/access/limits/bucket-table"
import { exported } from "@/lib/access/limits/places-store"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { contactFilterQuery, filterOf } from "@/lib/contacts/contact-filter"
import { columns } from "@/lib/contacts/imports/column-rules"
import { eachContact } from "@/lib/contacts/list-sql"
import type { Contact } from "@/lib/contacts/schema"
import { declaredProperties } from "@/lib/contact-properties/data"
import { csvDownload } from "@/lib/platform/download"
import { endpoint } from "@/lib/platform/http/endpoint"
import { encodeId } from "@/lib/platform/ids"

export const exportContacts = endpoint({
  route: "GET /v1/projects/{projectId}/contacts/export",
  operationId: "exportContacts",
  tag: "Contacts",
  summary: "Export contacts",
  description:
    "Contacts as CSV (RFC 4180, UTF-8), newest first, with the filters of the list and a column for each property. It is streamed, so it can have any length. Values are the contact's own: if only the fallback of a property applies, the cell is empty. A cell that a spreadsheet would run as a formula begins with an apostrophe. The file can be imported without changes, which restores email, names, phone, `unsubscribed` and properties character by character. An empty string becomes no value; segments, times and ids are not imported; a cell with U+FFFD is rejected.",
  access: allow("contacts:read"),
  bucket: buckets.contacts,
  strictQuery: true,
  query: contactFilterQuery(),
  answers: [200, undefined, "text/csv"],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query }) {
    const keys = [...(await declaredProperties(scope.project.id)).keys()]
    return csvDownload({
      filename: `contacts-${encodeId("proj", scope.project.id)}.csv`,
      columns: [...columns, ...keys, "segments", "createdAt", "updatedAt", "id"],
      groups: exported(scope, eachContact(scope, filterOf(query))),
      cellsOf: (contact) => cellsOf(contact, keys),
    })
  },
})

function cellsOf(contact: Contact, keys: readonly string[]): string[] {
  const { id, properties, segments, createdAt, updatedAt } = contact
  return [
    ...columns.map((column) => String(contact[column] ?? "")),
    ...keys.map((key) => properties[key] ?? ""),
    segments.map((segment) => encodeId("seg", segment)).join(" "),
    createdAt.toISOString(),
    updatedAt.toISOString(),
    encodeId("con", id),
  ]
}
