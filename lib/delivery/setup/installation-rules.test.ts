import { expect, test } from "vitest"
import { installationRows } from "@/lib/delivery/setup/installation-rules"
import type { Installation } from "@/lib/delivery/setup/schema"

const now = new Date("2026-11-27T12:00:00Z")
const facts: Installation = {
  ...{ name: "mail.acme.example", origin: "https://app.acme.example" },
  versions: { mailroom: "1.4.0", node: "24.1.0", postgres: "18.1", schema: "0065_installation_facts" },
  regions: [
    { region: "us-east-1", transport: "sandbox", nextHop: "sandbox", delivered: "accept" },
    { region: "eu-west-1", transport: "smtp", nextHop: "smtp.acme.example:587", delivered: "never" },
  ],
  queue: { due: 0, oldestSeconds: 0 },
  disk: { totalBytes: 100 * 2 ** 30, freeBytes: 40 * 2 ** 30 },
}
const rowOf = (name: string, change: Partial<Installation> = {}) =>
  installationRows({ ...facts, ...change }, now).find((row) => row.name === name)

test("an installation says what it is called, how its regions send, and of which versions it is", () => {
  expect(installationRows(facts, now).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    "Name: mail.acme.example, at https://app.acme.example",
    "Region us-east-1: sandbox mailbox on this host; nothing leaves",
    "Region eu-west-1: relay smtp.acme.example:587; delivery is not reported",
    "Queue: nothing waits for a worker",
    "Disk: 40 GiB of 100 GiB free",
    "Backup: none by `admin backup`; backups by other programs are not known here",
    "Versions: Mailroom 1.4.0, Node.js 24.1.0, PostgreSQL 18.1, schema 0065_installation_facts",
  ])
})

test("a disk that is nearly full, or will be within two weeks, wants attention", () => {
  const disk = (gigabytes: number, daysLeft?: number) =>
    rowOf("Disk", { disk: { totalBytes: 100 * 2 ** 30, freeBytes: gigabytes * 2 ** 30, daysLeft } })
  expect(disk(40, 90)).toEqual({ name: "Disk", value: "40 GiB of 100 GiB free, full in about 90 days" })
  expect(disk(40, 13)).toMatchObject({ attention: true })
  expect(disk(9.5)).toEqual({ name: "Disk", value: "9.5 GiB of 100 GiB free", attention: true })
})

test("a backup has its age and its time with the zone, and an old one wants attention", () => {
  const backedUpAt = (hours: number) => ({ backedUpAt: new Date(now.getTime() - hours * 3_600_000) })
  expect(rowOf("Backup", backedUpAt(5))).toEqual({ name: "Backup", value: "5 h old, of 2026-11-27 07:00 UTC" })
  expect(rowOf("Backup", backedUpAt(72))).toMatchObject({
    value: "3 days old, of 2026-11-24 12:00 UTC",
    attention: true,
  })
})

test("a queue says how long its oldest email has waited", () => {
  expect(rowOf("Queue", { queue: { due: 12, oldestSeconds: 4 } })).toEqual({
    name: "Queue",
    value: "12 due, the oldest for 4 s",
  })
  expect(rowOf("Queue", { queue: { due: 1, oldestSeconds: 900 } })).toMatchObject({
    ...{ value: "1 due, the oldest for 15 min", attention: true },
  })
})
