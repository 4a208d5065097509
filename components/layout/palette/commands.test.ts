import { expect, it } from "vitest"
import { domainsLike, listOf, names, wantedOf } from "./commands"

const id = "email_01k9q3f7c2e8m9v4x6y8z0a1b3"

it("an id, a whole address and words are told apart; one letter asks nobody", () => {
  expect(wantedOf(` ${id} `)).toEqual({ kind: "id", emailId: id })
  expect(wantedOf("ada@lovelace.example")).toEqual({ kind: "address", address: "ada@lovelace.example" })
  expect(wantedOf("ada@")).toEqual({ kind: "words", words: "ada@" })
  expect([wantedOf(""), wantedOf("a")]).toEqual([{ kind: "nothing" }, { kind: "nothing" }])
})

it("what would take reading the whole log is offered as a filter of it, with the text escaped", () => {
  expect(listOf("proj_1", wantedOf("50% & more")).map(({ href }) => href)).toEqual([
    "/projects/proj_1/emails?subject=50%25+%26+more",
    "/projects/proj_1/emails?from=50%25+%26+more",
  ])
  expect(listOf("proj_1", wantedOf("a+b@x.example"))[0]?.href).toBe("/projects/proj_1/emails?recipient=a%2Bb%40x.example")
  expect(listOf("proj_1", wantedOf(id))).toEqual([])
})

it("domains are found by a part of their name, no more than five", () => {
  const domains = Array.from({ length: 9 }, (_, index) => ({ domain: `mail${index}.acme.test` }))
  expect(domainsLike(domains, "ACME")).toHaveLength(5)
  expect(domainsLike(domains, "mail7")).toEqual([domains[7]])
  expect(domainsLike(domains, " ")).toEqual([])
})

it("what is typed must stand there word by word, in any order, and letters strewn about are none", () => {
  expect([names("", "Emails"), names("key api", "API keys"), names("add a dom", "Add a domain", "new")]).toEqual([true, true, true])
  expect([names("acme", "Compose an email", "create"), names("emails x", "Emails")]).toEqual([false, false])
})
