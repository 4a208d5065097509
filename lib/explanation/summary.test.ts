import { expect, it } from "vitest"
import { type OfRecipient, summary } from "@/lib/explanation/explain"

const got: OfRecipient = { status: "delivered", severity: "none", cause: "The server took a.", fix: "Nothing to do." }
const gone: OfRecipient = {
  status: "bounced",
  severity: "critical",
  cause: "The mailbox b@x.example does not exist.",
  fix: "Ask for the current address.",
  page: "suppressions",
}
const late: OfRecipient = {
  status: "sending",
  severity: "warning",
  cause: "Server c asked to wait.",
  fix: "Nothing to do.",
}

it("one recipient speaks for the whole email", () => {
  expect(summary([gone])).toEqual({
    severity: "critical",
    cause: gone.cause,
    fix: gone.fix,
    page: "suppressions",
  })
})

it("of several, the worst is named with how many share its result", () => {
  const failed: OfRecipient = { ...gone, status: "failed", cause: "We gave up." }
  expect(summary([got, late, gone, failed])).toMatchObject({
    severity: "critical",
    cause: "2 of 4 recipients did not get this email: the mailbox b@x.example does not exist.",
    page: "suppressions",
  })
  expect(summary([got, late])).toMatchObject({
    severity: "warning",
    cause: "Delivery to 1 of 2 recipients is still to come: Server c asked to wait.",
  })
})

it("if all have it, that is said once", () => {
  expect(summary([got, { ...got, cause: "The server took d." }])).toEqual({
    severity: "none",
    cause: "Both recipients have this email.",
    fix: "Nothing to do.",
  })
})

it("the same cause for all is not counted", () => {
  const planned: OfRecipient = { status: "scheduled", severity: "info", cause: "The email is scheduled.", fix: "Wait." }
  expect(summary([planned, planned]).cause).toBe("The email is scheduled.")
})
