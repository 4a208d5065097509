import type { OperatorRegion } from "@/components/operator/queries"

export type LoopTestStep = { state: "done" | "failed" | "waits"; text: string }

/** The way of a loop test's email, step by step, up to the one that failed. */
export function loopTestSteps(test: NonNullable<OperatorRegion["loopTest"]>): LoopTestStep[] {
  const { relay, code, diagnostic, startedAt, sentAt, returnedAt, returnedFrom, returnedTls } = test
  const taker = relay === "direct" ? "the mail server of the host of returned mail" : relay
  const reason = diagnostic === undefined ? "" : ` ${diagnostic}`
  if (code === "not_accepted") return [{ state: "failed", text: `Not accepted by ${taker}:${reason}` }]
  // What has come back was handed over, whether or not the last reply was heard.
  if (sentAt === undefined && returnedAt === undefined) return [{ state: "waits", text: `Handed to ${taker}` }]
  const handed = { state: "done", text: `Handed to ${taker}${after(startedAt, sentAt)}` } as const
  if (returnedAt === undefined) return [handed, onTheWay(code, reason)]
  return [
    handed,
    {
      state: "done",
      text: `Reached the listener${returnedFrom ? ` from ${returnedFrom}` : ""}${after(startedAt, returnedAt)}`,
    },
    returnedTls === undefined
      ? { state: "done", text: "Without TLS: the last server on the way did not ask for STARTTLS" }
      : { state: "done", text: `Encrypted by STARTTLS, ${returnedTls}` },
    { state: "done", text: "Stored, and recognised as this test" },
  ]
}

function onTheWay(code: NonNullable<OperatorRegion["loopTest"]>["code"], reason: string): LoopTestStep {
  if (code === "returned") return { state: "failed", text: `Returned by a server on the way:${reason}` }
  if (code === "lost")
    return {
      state: "failed",
      text: "Not at the listener. The host of returned mail must lead to this server, and its port 25 to INBOUND_PORT",
    }
  return { state: "waits", text: "Reaches the listener" }
}

function after(startedAt: string, at: string | undefined): string {
  if (at === undefined) return ""
  return `, ${(Math.max(0, Date.parse(at) - Date.parse(startedAt)) / 1_000).toFixed(1)} s`
}
