import { expect, it } from "vitest"
import { pageShape } from "@/components/layout/ways"

it("knows the shape of a page from its path", () => {
  const root = "/projects/proj_1"
  expect([root, `${root}/metrics`].map(pageShape)).toEqual(["figures", "figures"])
  expect([`${root}/emails`, `${root}/contacts/imports`, `${root}/logs/audit`].map(pageShape)).toEqual([
    "list",
    "list",
    "list",
  ])
  expect([`${root}/emails/email_1`, `${root}/domains/dom_1`].map(pageShape)).toEqual(["object", "object"])
  const forms = ["emails/compose", "settings/members", "contacts/imports/new", "webhooks/wh_1/edit"]
  expect(forms.map((path) => pageShape(`${root}/${path}`))).toEqual(forms.map(() => "form"))
})
