import { expect, it } from "vitest"
import { hostOfPasted, mailboxProviderOf } from "@/components/domains/domain-forms"

it.each([
  ["https://www.acme-shop.example/", "www.acme-shop.example"],
  [" HTTP://user:pw@acme.example:8443/a/b?c=d#e ", "acme.example"],
  ["//acme.example/x", "acme.example"],
  ["acme.example/shop", "acme.example"],
  ["acme.example?utm=1", "acme.example"],
  ["https://acme.example", "acme.example"],
  ["https://bücher.example/", "bücher.example"],
  ["acme.example", "acme.example"],
  ["acme", "acme"],
  ["hello@acme.example", "hello@acme.example"],
  ["https://", "https://"],
  ["", ""],
])("of %s the form takes %s", (pasted, taken) => {
  expect(hostOfPasted(pasted)).toBe(taken)
})

it("a domain of a public mailbox provider is known, a domain of one's own and a subdomain are not", () => {
  for (const domain of ["gmail.com", " GoogleMail.com. ", "outlook.com", "yahoo.co.uk", "icloud.com", "gmx.de"])
    expect(mailboxProviderOf(domain)).toBeTruthy()
  for (const domain of ["acme.com", "notgmail.com", "gmail.com.acme.com", "gmail", ""])
    expect(mailboxProviderOf(domain)).toBeUndefined()
})
