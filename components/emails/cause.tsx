import { ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import type { Tone } from "@/components/ui/pill"
import { useMoment } from "@/components/data/clock-time"
import type { Explanation } from "@/components/emails/types"
import { dynamic } from "@/components/late-parts/dynamic"

const AlsoWaiting = dynamic(() => import("@/components/emails/also-waiting").then((module) => module.AlsoWaiting), {
  ssr: false,
})

type CauseProps = { explanation: Explanation; projectId: string; from: string }

/** Why the email is where it is, with the evidence and what to do; nothing once it has arrived. */
export function Cause({ explanation, projectId, from }: CauseProps) {
  const moment = useMoment()
  const { status, severity, cause, fix, page, recipients } = explanation
  if (severity === "none") return null
  const told = recipients.find((one) => one.severity === severity)
  const waiting = told?.attempts.length ? told : undefined
  const next = waiting?.nextAttemptAt ? `The next attempt is ${moment(waiting.nextAttemptAt)}.` : ""
  const suppressed = page === "suppressions" && told
  const link = suppressed
    ? { path: `suppressions?${new URLSearchParams({ search: told.address })}`, words: "Open suppression" }
    : page && links[page]
  const action = link ? (
    <ButtonLink href={`/projects/${projectId}/${link.path}`} variant={severity === "critical" ? "primary" : "default"}>
      {link.words}
    </ButtonLink>
  ) : waiting && next ? (
    // It comes after the first paint and moves nothing.
    <div className="flex h-8 w-72 max-w-full sm:justify-end">
      <AlsoWaiting projectId={projectId} status={status} recipient={waiting} from={from} />
    </div>
  ) : null
  return (
    <Callout tone={tones[severity]} title={cause} action={action}>
      {[told?.evidence, fix, next].filter(Boolean).join(" ")}
    </Callout>
  )
}

const tones: Record<Explanation["severity"], Tone> = { none: "good", info: "wait", warning: "warn", critical: "bad" }

const links: Record<NonNullable<Explanation["page"]>, { path: string; words: string }> = {
  domains: { path: "domains", words: "Check domains" },
  suppressions: { path: "suppressions", words: "Open suppressions" },
  topics: { path: "topics", words: "Open topics" },
  settings: { path: "settings", words: "Open settings" },
  sandbox: { path: "sandbox", words: "Open sandbox mailbox" },
}
