import { expect, it } from "vitest"
import { alertsOf } from "@/components/overview/alerts"

const quiet = { sent: 1_100, delivered: 1_000, complained: 3, bounceRate: 0.01, complaintRate: 0.0005 }
const told = (...given: Parameters<typeof alertsOf>[1][]) =>
  given.map((state) => alertsOf("proj_1", state).map(({ tone, title }) => `${tone}: ${title}`))

it("says nothing while all is well, and nothing of what is not known yet", () => {
  expect(
    told(
      {},
      {
        domains: [{ id: "dom_1", domain: "a.test", status: "verified" }],
        daily: { value: 100, used: 79, resets: "01:00" },
        week: quiet,
      },
    ),
  ).toEqual([[], []])
})

it("a failed domain comes before a degraded one, each with the way to its records", () => {
  const alerts = alertsOf("proj_1", {
    domains: [
      { id: "dom_1", domain: "a.test", status: "degraded" },
      { id: "dom_2", domain: "b.test", status: "failed" },
    ],
  })
  expect(alerts.map(({ title, action }) => [title, action.href])).toEqual([
    ["b.test cannot send", "/projects/proj_1/domains/dom_2"],
    ["DNS records of a.test are missing", "/projects/proj_1/domains/dom_1"],
  ])
})

it("records are to be published only once the installation can send", () => {
  const details = (transport: string) =>
    alertsOf("proj_1", {
      domains: ["degraded", "failed"].map((status) => ({ id: status, domain: "acme.com", status, transport })),
    }).map(({ detail }) => detail)
  for (const detail of details("sandbox")) expect(detail).toMatch(/Publish them once this installation can send\.$/)
  for (const detail of details("smtp")) expect(detail).not.toContain("installation")
})

it("the day's sends are worth a word from 80%, and stop things at all of them", () => {
  expect(
    told(
      { daily: { value: 1_000, used: 800, resets: "01:00" } },
      { daily: { value: 1_000, used: 999, resets: "01:00" } },
      { daily: { value: 1_000, used: 1_000, resets: "01:00" } },
    ),
  ).toEqual([
    ["warn: 80% of today's quota is used"],
    ["warn: 99% of today's quota is used"],
    ["bad: Today's quota is used up"],
  ])
})

it("the day's sends are worth a word as soon as they run out today, in the reader's time", () => {
  const [alert] = alertsOf("proj_1", { daily: { value: 1_000, used: 300, runsOut: "16:40", resets: "01:00" } })
  expect(alert).toMatchObject({
    tone: "warn",
    title: "Today's quota runs out at 16:40",
    detail: "300 of 1,000 sends of the organization; at the limit more are refused until 01:00.",
    action: { href: "/projects/proj_1/settings#limits" },
  })
})

it("bounces and complaints speak at the bounds of the providers, but not on small numbers", () => {
  expect(
    told(
      { week: { ...quiet, bounceRate: 0.02 } },
      { week: { ...quiet, bounceRate: 0.05, complaintRate: 0.003 } },
      { week: { ...quiet, sent: 199, delivered: 190, bounceRate: 0.5, complaintRate: 0.5 } },
      { week: { ...quiet, delivered: 999, complaintRate: 0.5 } },
      { week: { ...quiet, complained: 2, complaintRate: 0.5 } },
    ),
  ).toEqual([
    ["warn: 2.00% of the last 7 days were hard bounces"],
    ["bad: 5.00% of the last 7 days were hard bounces", "bad: 0.30% of the last 7 days were marked as spam"],
    [],
    [],
    [],
  ])
})

it("a region that cannot reach its relay comes first, in its own words", () => {
  const message =
    "Region eu-west-1 has not reached its relay since 16:40 UTC: connection refused. 3 emails wait; Mailroom checks every 15 s."
  const [first] = alertsOf("proj_1", {
    region: { status: "down", message },
    domains: [{ id: "d", domain: "x.test", status: "failed" }],
  })
  expect(first).toMatchObject({ id: "region", tone: "bad", detail: message })
  expect(alertsOf("proj_1", { region: { status: "up" } })).toEqual([])
})

it("email that waits for mail servers is said with why, and how long at their pace; three of them at most", () => {
  const at = { region: "eu-west-1" }
  const alerts = alertsOf("proj_1", {
    waiting: [
      { ...at, name: "Outlook.com", waiting: 480, pacePerMinute: 12 },
      { ...at, name: "mx.acme.com", waiting: 1, pause: "away" },
      { ...at, name: "Yahoo", waiting: 10_000, pacePerMinute: 1.5 },
      { ...at, name: "Google", waiting: 5, pause: "block" },
    ],
  })
  expect(alerts.map(({ tone, title, detail }) => [tone, title, detail])).toEqual([
    ["warn", "480 emails wait for Outlook.com", "It takes 12 a minute at the moment: about 40 minutes."],
    ["warn", "1 email waits for mx.acme.com", expect.stringMatching(/^None of its mail servers could be reached\./)],
    ["warn", "10,000 emails wait for Yahoo", "It takes 2 a minute at the moment: about 111 hours."],
  ])
})
