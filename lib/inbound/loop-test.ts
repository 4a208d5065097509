import { loopTestAddress } from "@/lib/delivery/message/proven-ids"
import { systemSource } from "@/lib/delivery/egress/data"
import { type Relays, composeTest } from "@/lib/delivery/regions/relays"
import {
  claimLoopTests,
  failLoopTest,
  noteLoopTestSent,
  noteReportsOffered,
  passLoopTest,
  type DueLoopTest,
} from "@/lib/delivery/regions/return-route-store"
import { feedbackHost } from "@/lib/domains/records/records"
import type { ClaimedMail } from "@/lib/inbound/mails-sql"
import { loopTestAt } from "@/lib/inbound/arrival"
import { hmac } from "@/lib/platform/crypto"
import { env } from "@/lib/platform/env/env"
import { instantOf } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { regionLabel } from "@/lib/regions/regions"
import type { DeliveryStatus, ReturnedMail } from "@/lib/returns/returned-mail"

type LoopTestOptions = { relays: Relays; io: Pick<Io, "clock">; signal: AbortSignal }

/** Sends the loop tests that were asked for, each once through its region's own relay, until the signal aborts. Never rejects. */
export async function runLoopTests(options: LoopTestOptions): Promise<void> {
  await runRepeatedly({
    name: "loop tests",
    intervalMs: 1_000,
    signal: options.signal,
    round: async () => (await sendLoopTests(options)) > 0,
  })
}

/** Answers how many were due. */
export async function sendLoopTests(options: LoopTestOptions): Promise<number> {
  const due = await claimLoopTests()
  await Promise.all(due.map((test) => sendLoopTest(test, options)))
  return due.length
}

async function sendLoopTest(test: DueLoopTest, { relays, io, signal }: LoopTestOptions): Promise<void> {
  const { region, testId } = test
  const relay = relays.named(region)
  if (!relay) return
  const address = `${loopTestAddress(testId, region, hmac)}@${feedbackHost(region, env())}`
  const { message, sender } = await composeTest({
    ...{ id: testId, to: address, date: io.clock.now(), subject: `Loop test of ${regionLabel(region)}` },
    text: "This email shows that what other servers return reaches Mailroom. It goes through the relay of the region to the listener for returned mail.\n",
  })
  // What cannot be delivered returns by the same way: then a server on it says why.
  const attempt = await relay.transport.send({
    ...{ from: address, to: address, message, sender, signal, dsnEnvelopeId: testId },
    takeSource: () => systemSource(region),
    // It finds out whether the way is free: a pause of before says nothing.
    isProbe: true,
  })
  const accepted = attempt.outcome === "accepted" || attempt.outcome === "ambiguous"
  const diagnostic = attempt.code === undefined ? attempt.text : `${attempt.code} ${attempt.text}`
  await noteLoopTestSent(test, { accepted, diagnostic })
  if (attempt.reports) await noteReportsOffered(region, attempt.reports === "asked")
  log.info({ region, accepted, diagnostic }, "a loop test has been sent")
}

/** What a mail to the address of a loop test says of the way; answers what it did. */
export async function recordLoopTest(
  { id, rcptTo, mailFrom, client, tls }: ClaimedMail,
  mail: ReturnedMail,
): Promise<string> {
  const receivedAt = instantOf(id)
  const test = loopTestAt(rcptTo, { hmac, service: env(), now: receivedAt })
  if (!test) return "kept"
  if (mailFrom !== "")
    return (await passLoopTest(test.testId, { receivedAt, client, tls })) ? "loop_test_passed" : "repeated"
  const failed = mail.kind === "delivery_status" ? failureIn(mail) : null
  // The report that the mail was delivered says nothing new.
  if (!failed) return "repeated"
  await failLoopTest(test.testId, failed)
  return "loop_test_returned"
}

function failureIn({ recipients }: DeliveryStatus): string | null {
  const failed = recipients.find(({ action }) => action === "failed")
  return failed
    ? (failed.innermostReply?.text ?? failed.diagnostic?.text ?? failed.status ?? "No reason is given.")
    : null
}
