import { expect, test } from "vitest"
import { parseSubmissionSettings } from "@/lib/delivery/smtp/submission-settings"

const baseUrl = "https://app.mail.example.com"

test("the host that a certificate is needed for is the public one, also before there is one", () => {
  const without = parseSubmissionSettings({}, { tls: undefined, baseUrl })
  expect(without).toMatchObject({ isPublic: false, host: "localhost", publicHost: "app.mail.example.com" })
  const named = parseSubmissionSettings({ SUBMISSION_HOST: "smtp.example.com" }, { tls: undefined, baseUrl })
  expect(named.publicHost).toBe("smtp.example.com")
})
