import { addToGroups, type Options } from "@/lib/contacts/imports/rules"
import { type RowFault, storedFault } from "@/lib/contacts/imports/failure"
import { insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import type { TemplateVariable } from "@/lib/emails/templates/rules"
import type { Queryable } from "@/lib/platform/database/db"
import { dayMs, hourMs } from "@/lib/platform/time"

type SavedTemplate = { name: string; subject: string; lines: string[]; variables: TemplateVariable[]; version: number }

const order: TemplateVariable = { name: "order", type: "string" }

const saved: readonly SavedTemplate[] = [
  {
    name: "order-confirmation",
    subject: "Your order {{order}} is confirmed",
    lines: [
      "Hello {{contact.firstName | there}},",
      "thank you for your order {{order}}. It leaves within {{days}} days.",
    ],
    variables: [order, { name: "days", type: "number", fallback: "2" }],
    version: 3,
  },
  {
    name: "shipped",
    subject: "Order {{order}} is on its way",
    lines: ["Hello {{contact.firstName | there}},", "your parcel is on its way: {{tracking}}"],
    variables: [order, { name: "tracking", type: "url" }],
    version: 1,
  },
  {
    name: "back-in-stock",
    subject: "{{product | What you looked for}} is back",
    lines: ["Hello {{contact.firstName | there}},", "{{product}} is back on the shelf."],
    variables: [{ name: "product", type: "string", fallback: "What you looked for" }],
    version: 0,
  },
]

/** Templates that are published, and one that somebody is still writing. */
export async function addTemplates(client: Queryable, projectId: string, now: Date, random: Seeded): Promise<void> {
  const at = new Date(now.getTime() - 20 * dayMs)
  const rows = saved.map(({ name, subject, lines, variables, version }) => ({
    id: idAt(at, random),
    project_id: projectId,
    ...{ name, subject, variables, version, is_changed: version === 0 },
    html: lines.map((line) => `<p>${line}</p>`).join("\n"),
    text: lines.join("\n\n"),
    ...{ created_at: at, updated_at: at },
  }))
  await insert(client, "templates", rows)
  const versions = rows.flatMap(({ id, version, subject, html, text, variables }) =>
    Array.from({ length: version }, (_, before) => ({
      project_id: projectId,
      template_id: id,
      version: before + 1,
      ...{ subject, html, text, variables },
      created_at: new Date(at.getTime() + before * dayMs),
    })),
  )
  await insert(client, "template_versions", versions)
}

const header = ["E-mail", "First name", "Town", "Orders"]
const rejected: { line: number; cells: string[]; fault: RowFault; column: string }[] = [
  {
    line: 48,
    cells: ["ingrid.berg@lakeside-mail", "Ingrid", "Lakeside", "2"],
    fault: { code: "address", facts: { fault: "domain_one_label" } },
    column: "E-mail",
  },
  {
    line: 131,
    cells: ["per olsen@postbox.example", "Per", "Northgate", "1"],
    fault: { code: "address", facts: { fault: "spaces" } },
    column: "E-mail",
  },
  {
    line: 266,
    cells: ["nina.falk@inbox.example", "Nina", "Oakhill", "several"],
    fault: { code: "not_of_type", facts: { type: "number" } },
    column: "Orders",
  },
]
const rows = 412

/** An import of customers, of whom a few were rejected. */
export async function addPastImport(
  client: Queryable,
  { projectId, userId }: { projectId: string; userId: string },
  now: Date,
  random: Seeded,
): Promise<void> {
  const at = new Date(now.getTime() - 9 * dayMs - 3 * hourMs)
  const id = idAt(at, random)
  const options: Options = {
    ...{ mode: "upsert", dryRun: false, encoding: "utf-8", delimiter: ",", segmentId: null },
    header,
    targets: ["email", "firstName", "properties.city", "properties.orders"],
    fileName: "customers-autumn-fair.csv",
  }
  const refused = rejected.map(({ line, cells, column, fault }) => ({
    line,
    cells,
    faults: [{ column, ...fault, value: cells[header.indexOf(column)] ?? "" }],
  }))
  const failed = refused.length
  await insert(client, "imports", [
    {
      ...{ id, project_id: projectId, kind: "contacts", status: "completed", options },
      ...{ total: rows, processed: rows, created: 61, updated: rows - 61 - failed, skipped: 0, failed },
      errors: addToGroups([], refused),
      ...{ bytes: 18_204, bytes_read: 18_204, attempt: 1, stalled: 0, due_at: null, created_by: userId },
      ...{ started_at: at, ended_at: new Date(at.getTime() + 2_400), created_at: at },
    },
  ])
  const errors = refused.map(({ line, cells, faults }) => ({
    ...{ project_id: projectId, import_id: id, line, cells },
    faults: faults.map(storedFault),
  }))
  await insert(client, "import_errors", errors)
}
