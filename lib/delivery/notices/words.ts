import type { noticeKinds } from "@/lib/delivery/notices/schema"
import { ratesMax } from "@/lib/delivery/egress/rules"
import type { Evidence } from "@/lib/delivery/setup/evidence"
import type { SetupCode, SetupKey } from "@/lib/delivery/setup/schema"
import { blockCause } from "@/lib/delivery/direct/feedback"
import { blockFix } from "@/lib/explanation/words"
import { rowName, setupWords } from "@/lib/delivery/setup/words"

type NoticeKind = (typeof noticeKinds)[number]

export type NoticeFacts = {
  setup_row_red: {
    key: SetupKey
    region?: string
    address?: string
    code?: SetupCode
    expected: Evidence[]
    found: Evidence[]
  }
  address_blocked: { queueId: number; region: string; address: string; destination: string; reply: string }
  warm_up_repeats: {
    region: string
    address: string
    day: number
    sent: number
    deferred: number
    bounced: number
    complained: number
  }
}

/** What operators are told of. */
export type OperatorNews = { [K in NoticeKind]: { kind: K; facts: NoticeFacts[K] } }[NoticeKind]

/** A notice as people read it; `page` is below the settings of a project. */
export type NoticeWords = { title: string; message: string; fix: string; page: string }

const percent = (share: number) => `${share * 100} %`

export function noticeWords(notice: OperatorNews): NoticeWords {
  switch (notice.kind) {
    case "setup_row_red": {
      const { key, region, address, ...found } = notice.facts
      const { message, fix = "" } = setupWords(key, { state: "wrong", ...found })
      const name = [rowName(key, address), address === undefined ? region : undefined].filter(Boolean).join(", ")
      return { title: `Wrong: ${name}`, message, fix, page: "sending" }
    }
    case "address_blocked": {
      const { destination, address, reply, queueId } = notice.facts
      return {
        title: `${destination} refuses ${address}`,
        message: `Its servers said: ${reply}`,
        fix: `Email to them from this address waits. ${blockFix(blockCause(reply)) ?? "Ask the provider to remove the block, and find out which project caused it."}`,
        page: `destinations/${queueId}`,
      }
    }
    case "warm_up_repeats": {
      const { address, day, sent, deferred, bounced, complained } = notice.facts
      return {
        title: `Day ${day} of the warm-up of ${address} is repeated`,
        message: `Of ${sent} emails ${deferred} were deferred, ${bounced} bounced and ${complained} were complained about.`,
        fix: `A day counts with less than ${percent(ratesMax.deferred)} deferred, ${percent(ratesMax.bounced)} bounced and ${percent(ratesMax.complained)} complained about. Send it your best lists first.`,
        page: "addresses",
      }
    }
  }
}
