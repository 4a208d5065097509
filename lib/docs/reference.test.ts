import { expect, test } from "vitest"
import { findProblem } from "@/lib/api/problem-pages"
import { endpoints } from "@/lib/api/registry"
import { plain } from "@/lib/docs/guides"
import { listedFields, entriesFor, referenceTags } from "@/lib/docs/reference"
import { nobody } from "@/lib/docs/reader-rules"
import { searchIndex } from "@/lib/docs/search-index"
import { methodOf, pathOf } from "@/lib/platform/http/endpoint"

const entries = referenceTags().flatMap(({ slug, entries: all }) => all.map((entry) => ({ slug, ...entry })))
const entryOf = (id: string) => entries.find((one) => one.id === id)

test("the reference has each operation once, with its path, permission and samples, and a page for each event", () => {
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  for (const endpoint of endpoints) {
    const entry = entryOf(endpoint.operationId)
    expect([entry?.method, entry?.path]).toEqual([methodOf(endpoint), pathOf(endpoint)])
    const text = entry?.paragraphs.map(plain).join(" ") ?? ""
    const { access } = endpoint
    if (access.credential !== "none") for (const permission of access.anyOf) expect(text).toContain(permission)
    expect(entry?.samples.map(({ lang }) => lang)).toEqual(["sh", "ts"])
    expect(entry?.answers.map(({ status }) => status)).toContain(String(endpoint.answers[0]))
  }
  expect(entries.filter(({ method }) => method === "EVENT").map(({ path }) => path)).toContain("email.delivered")
})

test("each problem that an operation declares is named and has a page", () => {
  for (const endpoint of endpoints) {
    const codes = entryOf(endpoint.operationId)?.problems.flatMap(({ kinds }) => kinds.map(({ code }) => code)) ?? []
    expect(codes).toEqual(expect.arrayContaining(endpoint.problems.map(({ code }) => code)))
    expect(codes.filter((code) => !findProblem(code))).toEqual([])
  }
})

test("fields have their type and limits, and those of objects within follow with their path", () => {
  const schemas = {
    Person: {
      type: "object",
      required: ["email"],
      properties: {
        email: { type: "string", format: "email", maxLength: 254, description: "Where it goes." },
        friends: { type: "array", maxItems: 3, items: { $ref: "#/components/schemas/Person" } },
      },
    },
  }
  const body = {
    type: "object",
    required: ["people"],
    properties: {
      people: { type: "array", minItems: 1, maxItems: 50, items: { $ref: "#/components/schemas/Person" } },
      kind: { enum: ["a", "b"], default: "a" },
      at: { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] },
    },
  }
  const shown = listedFields(body, schemas).map(({ name, type, required, limits, description }) =>
    [name, type, required ? "required" : "", ...limits, plain(description)].filter(Boolean).join(", "),
  )
  expect(shown).toEqual([
    "people, array of object, required, 1 to 50 items",
    "people[].email, email address, required, at most 254 characters, Where it goes.",
    "people[].friends, array of object, at most 3 items",
    'kind, "a" | "b", default "a"',
    "at, time, ISO 8601",
  ])
})

test("samples have the ids of the reader's project", () => {
  const [emails] = referenceTags().filter(({ slug }) => slug === "emails")
  const project = { id: "proj_01k9q3f7c2e8m9v4x6y8z0a1b9", name: "Shop", region: "us-east-1" }
  const codes = emails ? entriesFor(emails, { ...nobody, project }).flatMap(({ samples }) => samples) : []
  expect(codes.filter(({ code }) => code.includes(project.id)).length).toBeGreaterThan(2)
  expect(codes.filter(({ code }) => code.includes("proj_01k9q3f7c2e8m9v4x6y8z0a1b3"))).toEqual([])
})

test("the search leads to anchors of the reference that exist", () => {
  const anchors = new Set(entries.map(({ slug, id }) => `/docs/reference/${slug}#${id}`))
  const hrefs = searchIndex().flatMap(({ href }) => (href.startsWith("/docs/reference") ? href : []))
  expect(hrefs.length).toBe(endpoints.length)
  expect(hrefs.filter((href) => !anchors.has(href))).toEqual([])
})
