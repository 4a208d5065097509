import { expect, test } from "vitest"
import { relayConfig } from "@/lib/delivery/setup/report"

test("the name that needs records is the one in Postfix's greeting, under the service domain", () => {
  const service = { serviceDomain: "mail.acme.com", reportDomain: "reports.acme.com" }
  const { hostName, mainCf, masterCf, env } = relayConfig({
    region: "eu-west-1",
    service,
    relayPort: 10_025,
    inboundPort: 2_525,
  })
  expect(hostName).toBe("out.eu-west-1.mail.acme.com")
  expect(mainCf).toContain(`\nmyhostname = ${hostName}\n`)
  expect(masterCf).toMatch(/^127\.0\.0\.1:10025 inet /)
  expect(env).toBe("SMTP_URL_EU_WEST_1=smtp://127.0.0.1:10025?delivered=dsn")
})
