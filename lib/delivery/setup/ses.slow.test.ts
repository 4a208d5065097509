import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { startSesServer, type SesServer } from "@/e2e/support/delivery/ses-server"
import { startEventQueue } from "@/e2e/support/inbound/ses-events"
import { evidenceLine } from "@/lib/delivery/setup/evidence"
import { checkSesAccount, checkSesConfigurationSet, checkSesEvents, checkSesIdentity } from "@/lib/delivery/setup/ses"
import type { Checked, SetupContext, SetupSubject } from "@/lib/delivery/setup/checks"
import { setupWords } from "@/lib/delivery/setup/words"
import type { SesTarget } from "@/lib/regions/settings"

// Each row about SES, red and green, against servers that speak the same protocols.

let ses: SesServer
let queue: Awaited<ReturnType<typeof startEventQueue>>
beforeAll(async () => {
  queue = await startEventQueue()
})
beforeEach(async () => {
  ses = await startSesServer()
})
afterEach(() => ses.close())
afterAll(() => queue.stop())

const context = (heardAt?: Date) =>
  ({
    service: { serviceDomain: "mail.example.com", reportDomain: "dmarc.mail.example.com" },
    origin: "https://app.mail.example.com",
    sesEvents: new Map(heardAt ? [["eu-west-1", heardAt]] : []),
  }) as unknown as SetupContext

function region(change: Partial<SesTarget> = {}): SetupSubject {
  const target: SesTarget = {
    ...{ awsRegion: "eu-west-1", credentials: { accessKeyId: "KEY", secretAccessKey: "SECRET" }, maxConnections: 5 },
    ...{ endpoint: ses.endpoint, configurationSet: "main", events: queue.url },
    ...change,
  }
  const profile = { region: "eu-west-1", transport: "ses", ses: target, ehloName: "", delivered: "events" } as const
  return { region: { profile, sources: [] } }
}

const wrongKey = { credentials: { accessKeyId: "WRONG", secretAccessKey: "SECRET" } }
const judged = ({ state, code }: Checked) => [state, code]

test("the account: its access, whether it sends, its rate, and whether the key may ask", async () => {
  const ok = await checkSesAccount(context(), region())
  expect(ok.state).toBe("ok")
  expect(ok.found.map(evidenceLine)).toEqual([
    ...["production access", "sending turned on", "1,000 a second, 50,000 a day, 10 in the last 24 hours"],
  ])
  ses.state.account.ProductionAccessEnabled = false
  expect(judged(await checkSesAccount(context(), region()))).toEqual(["wrong", "ses_sandbox"])
  ses.state.account.SendingEnabled = false
  expect(judged(await checkSesAccount(context(), region()))).toEqual(["wrong", "sending_off"])
  expect(judged(await checkSesAccount(context(), region(wrongKey)))).toEqual(["wrong", "credentials"])
  expect(judged(await checkSesAccount(context(), region({ endpoint: "http://127.0.0.1:1" })))).toEqual([
    ...["wrong", "unreachable"],
  ])
})

test("the configuration set", async () => {
  expect((await checkSesConfigurationSet(context(), region())).state).toBe("ok")
  ses.state.configurationSets.set("main", { SendingEnabled: false })
  expect(judged(await checkSesConfigurationSet(context(), region()))).toEqual(["wrong", "sending_off"])
  ses.state.configurationSets.clear()
  expect(judged(await checkSesConfigurationSet(context(), region()))).toEqual(["wrong", "not_found"])
})

test("the service domain", async () => {
  const state = { isVerified: true, dkim: "SUCCESS", selector: "mr", privateKey: "", mailFrom: "" }
  ses.state.knowsOnly = true
  expect(judged(await checkSesIdentity(context(), region()))).toEqual(["wrong", "not_found"])
  ses.state.identities.set("mail.example.com", { ...state, isVerified: false, dkim: "PENDING" })
  expect(judged(await checkSesIdentity(context(), region()))).toEqual(["wrong", "not_verified"])
  ses.state.identities.set("mail.example.com", state)
  expect((await checkSesIdentity(context(), region())).state).toBe("ok")
})

test("its events: a way here, and that one has come", async () => {
  expect(judged(await checkSesEvents(context(), region({ events: undefined })))).toEqual(["wrong", "no_events"])
  expect(judged(await checkSesEvents(context(), region({ events: `${queue.url}-missing` })))).toEqual([
    ...["wrong", "unreachable"],
  ])
  expect(judged(await checkSesEvents(context(), region()))).toEqual(["waiting", "not_heard"])
  const heard = await checkSesEvents(context(new Date("2026-11-27T10:00:00Z")), region())
  expect(heard.state).toBe("ok")
  expect(heard.found.map(evidenceLine)).toEqual([
    "the queue can be read, about 0 messages wait",
    "the last event came at 2026-11-27 10:00 UTC",
  ])
  const { message, fix } = setupWords("ses_events", await checkSesEvents(context(), region()))
  expect(message).toContain("No event has come yet")
  expect(fix).toContain("SNS topic")
})
