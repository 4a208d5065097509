import { expect, it } from "vitest"
import { noSessionWords } from "@/components/emails/conversation"

it("an old email, whose attempts are no longer stored, does not seem to wait for its first one", () => {
  const words = (status: string) => noSessionWords({ address: "ada@b.example", status })
  for (const status of ["sent", "delivered", "opened", "clicked", "complained", "bounced", "indeterminate"])
    expect(words(status)).toBe("No SMTP session for ada@b.example is stored any more.")
  expect(words("failed")).toBe("No SMTP session for ada@b.example is stored.")
  for (const status of ["scheduled", "queued", "sending", "delivery_delayed"])
    expect(words(status)).toBe("No SMTP session for ada@b.example yet. Every delivery attempt is recorded here.")
  expect(words("suppressed")).toBe("No SMTP session for ada@b.example: nothing was sent.")
})
