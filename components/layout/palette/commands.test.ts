import { expect, it } from "vitest"
import { permissionsOf } from "@/lib/access/permissions"
import {
  creationsOf,
  domainsLike,
  listOf,
  names,
  pagesBeyond,
  wantedOf,
  wordsFor,
} from "@/components/layout/palette/commands"

const id = "email_01k9q3f7c2e8m9v4x6y8z0a1b3"

it("an id, a whole address and words are distinguished; one letter makes no request", () => {
  expect(wantedOf(` ${id} `)).toEqual({ kind: "id", of: "email", id })
  expect(wantedOf("ada@lovelace.example")).toEqual({ kind: "address", address: "ada@lovelace.example" })
  expect(wantedOf("ada@")).toEqual({ kind: "words", words: "ada@" })
  expect(wantedOf("")).toEqual({ kind: "nothing" })
  expect(wantedOf("a")).toEqual({ kind: "nothing" })
})

it("the id of whatever has a page is an id, with what it names", () => {
  const kinds = { con: "contact", seg: "segment", top: "topic", dom: "domain", whk: "webhook", key: "key" }
  for (const [prefix, of] of Object.entries(kinds)) {
    const one = id.replace("email", prefix)
    expect(wantedOf(one)).toEqual({ kind: "id", of, id: one })
  }
  expect(wantedOf(id.replace("email", "nope"))).toMatchObject({ kind: "words" })
})

it("everything that can be made is offered to who may make it: nothing to a viewer, no invites to a developer", () => {
  const powers = (role: string) => ({
    may: (one: string) => permissionsOf(role).some((held) => held === one),
    manages: role === "owner",
    founds: role === "owner",
  })
  const offered = (role: string) => creationsOf("proj_1", powers(role)).map(({ label }) => label)
  expect(offered("viewer")).toEqual([])
  expect(offered("owner")).toEqual([
    "Compose an email",
    "Create a template",
    "Create an inbound route",
    "Add a domain",
    "Create a webhook",
    "Create an API key",
    "Add a contact",
    "Import contacts",
    "Create a segment",
    "Create a topic",
    "Define a property",
    "Suppress an address",
    "Invite a member",
    "Create a project",
  ])
  expect(offered("developer")).toEqual(offered("owner").slice(0, -2))
})

it("the email log is offered, searched for what was typed, with the text escaped", () => {
  expect(listOf("proj_1", wantedOf("50% & more")).map(({ href }) => href)).toEqual([
    "/projects/proj_1/emails?search=50%25+%26+more",
  ])
  expect(listOf("proj_1", wantedOf("a+b@x.example"))[0]?.href).toBe("/projects/proj_1/emails?search=a%2Bb%40x.example")
  expect(listOf("proj_1", wantedOf(id))).toEqual([])
})

it("domains are found by a part of their name, no more than five", () => {
  const domains = Array.from({ length: 9 }, (_, index) => ({ domain: `mail${index}.acme.test` }))
  expect(domainsLike(domains, "ACME")).toHaveLength(5)
  expect(domainsLike(domains, "mail7")).toEqual([domains[7]])
  expect(domainsLike(domains, " ")).toEqual([])
})

it("each typed word must occur, in any order; scattered letters do not match", () => {
  expect(names("", "Emails")).toBe(true)
  expect(names("key api", "API keys")).toBe(true)
  expect(names("add a dom", "Add a domain", "new")).toBe(true)
  expect(names("acme", "Compose an email", "create")).toBe(false)
  expect(names("emails x", "Emails")).toBe(false)
})

it("pages beside the navigation are found by what they are called elsewhere, the audit log by who may read it", () => {
  const found = (text: string, manages: boolean) =>
    pagesBeyond("proj_1", { manages })
      .filter(({ label, words }) => names(text, label, words))
      .map(({ label }) => label)
  expect(found("who changed", true)).toEqual([])
  expect(found("audit", true)).toEqual(["Audit log"])
  expect(found("logs", false)).toEqual([])
  expect(found("openapi", false)).toEqual(["API reference"])
  expect(names("requests", "Logs", wordsFor("/projects/proj_1/logs"))).toBe(true)
  expect(names("documentation", "Docs", wordsFor("/docs"))).toBe(true)
  expect(wordsFor("/projects/proj_1/topics")).toBe("")
})
