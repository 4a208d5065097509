import { expect, it } from "vitest"
import { operatorSteps, stepsAsText } from "@/components/domains/operator-card"

it("names the exact variables and records of a region", () => {
  const steps = operatorSteps(
    "eu-west-1",
    { serviceDomain: "mailroom.test", named: false, inboundPort: 2526 },
    { sends: false, found: [] },
  )
  expect(steps.map(({ done }) => done)).toEqual([false, false, false])
  const text = stepsAsText(steps, "http://localhost/x")
  expect(text).toContain("   SERVICE_DOMAIN=mailroom.example.com")
  // The file .env has no shell that reads it.
  expect(text).not.toContain("export ")
  expect(text).toContain("SMTP_URL_EU_WEST_1=smtps://")
  expect(text).toContain("A provider: the SPF include")
  expect(text).toContain('spf.eu-west-1.mailroom.example.com. TXT "v=spf1 ip4:203.0.113.25 -all"')
  expect(text).toContain("--dport 25 -j REDIRECT --to-ports 2526")
  expect(text).toContain("loop-test --region eu-west-1")
})

it("ticks what the service was started with", () => {
  const steps = operatorSteps(
    "us-east-1",
    { serviceDomain: "mail.acme.net", named: true, inboundPort: 2526 },
    { sends: true, found: [] },
  )
  expect(steps.map(({ done }) => done)).toEqual([true, true, false])
  expect(steps[2]?.lines[1]?.line).toBe("feedback.us-east-1.mail.acme.net. A 203.0.113.25")
})

it("ticks each record by itself, and the third step once the DNS has both", () => {
  const third = (found: boolean[]) =>
    operatorSteps(
      "us-east-1",
      { serviceDomain: "mail.acme.net", named: true, inboundPort: 2526 },
      { sends: false, found },
    )[2]
  const records = (found: boolean[]) =>
    third(found)
      ?.lines.slice(0, 2)
      .map((line) => line.found)
  expect(records([])).toEqual([undefined, undefined])
  expect(records([true, false])).toEqual([true, false])
  expect(third([true, false])?.done).toBe(false)
  expect(third([true, true])?.done).toBe(true)
})

it("has no rule of a firewall where returned mail is taken at port 25, and names another port where it is", () => {
  const text = (inboundPort: number) =>
    stepsAsText(
      operatorSteps(
        "us-east-1",
        { serviceDomain: "mail.acme.net", named: true, inboundPort },
        { sends: true, found: [false, false] },
      ),
      "page",
    )
  expect(text(25)).not.toMatch(/iptables|INBOUND_PORT/)
  expect(text(3326)).toContain("--dport 25 -j REDIRECT --to-ports 3326")
})
