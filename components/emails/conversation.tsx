"use client"

import { useState } from "react"
import { cn } from "@/components/ui/cn"
import { Select } from "@/components/ui/select"
import { ClockTime } from "@/components/data/clock-time"
import { duration } from "@/components/emails/journey"
import { fromWords, tlsWords } from "@/components/emails/steps"
import { isOnItsWay, statusWords } from "@/components/emails/status"
import type { Attempt, Delivery } from "@/components/emails/queries"

/** The SMTP session of every attempt, per recipient; the last attempt first. */
export function Conversation({ deliveries }: { deliveries: Delivery[] }) {
  const [chosen, setChosen] = useState<string>()
  const delivery = deliveries.find(({ id }) => id === chosen) ?? mostTelling(deliveries)
  return (
    <>
      {deliveries.length > 1 ? (
        <div className="border-b border-line px-4 py-3">
          <Select
            aria-label="Recipient"
            value={delivery?.id}
            onChange={(event) => setChosen(event.target.value)}
            options={deliveries.map(({ id, address, status }) => ({
              value: id,
              label: `${address} (${statusWords(status).word})`,
            }))}
            className="sm:w-96"
          />
        </div>
      ) : null}
      {delivery && hasTries(delivery) ? (
        delivery.attempts
          .toReversed()
          .map((attempt) => <Talk key={attempt.id} attempt={attempt} several={delivery.attempts.length > 1} />)
      ) : (
        <p className="px-4 py-3 text-muted">{noSessionWords(delivery)}</p>
      )}
    </>
  )
}

/** Why there is no session to show: none has begun, none ever will, or they are no longer stored, as with every old email. */
export function noSessionWords(delivery: Pick<Delivery, "address" | "status"> | undefined): string {
  if (!delivery) return "No SMTP session yet. Every delivery attempt is recorded here."
  const { address, status } = delivery
  if (isOnItsWay(status)) return `No SMTP session for ${address} yet. Every delivery attempt is recorded here.`
  if (neverSent.has(status)) return `No SMTP session for ${address}: nothing was sent.`
  // One that failed may never have been attempted.
  return `No SMTP session for ${address} is stored${status === "failed" ? "" : " any more"}.`
}

const neverSent = new Set(["suppressed", "rejected", "cancelled", "test"])

/** The recipient that one most likely came for: one that is in trouble. */
function mostTelling(deliveries: Delivery[]): Delivery | undefined {
  const tried = deliveries.filter(hasTries)
  return tried.find(({ status }) => statusWords(status).tone !== "good") ?? tried[0] ?? deliveries[0]
}

function hasTries({ attempts }: Delivery): boolean {
  return attempts.length > 0
}

function Talk({ attempt, several }: { attempt: Attempt; several: boolean }) {
  const lines = attempt.conversation ?? []
  return (
    <section className="border-b border-line last:border-b-0" aria-label={`Attempt ${attempt.attempt}`}>
      <p className="flex flex-wrap gap-x-4 px-4 pt-3 text-muted">
        {several ? <span className="font-medium text-text">Attempt {attempt.attempt}</span> : null}
        <ClockTime at={attempt.startedAt} />
        {attempt.remote ? <span>{attempt.remote}</span> : null}
        <span>{tlsWords(attempt)}</span>
        {attempt.source ? (
          <span>
            {fromWords(attempt)}
            {attempt.ehloName ? ` as ${attempt.ehloName}` : ""}
          </span>
        ) : null}
        {attempt.endedAt ? <span>{duration(Date.parse(attempt.endedAt) - Date.parse(attempt.startedAt))}</span> : null}
      </p>
      {lines.length > 0 ? (
        <SessionLines lines={lines} />
      ) : (
        <p className="px-4 pt-2 pb-3.5 text-muted">{attempt.text ?? "No SMTP commands were exchanged."}</p>
      )}
    </section>
  )
}

/** An SMTP session, line by line. */
export function SessionLines({ lines }: { lines: string[] }) {
  return (
    <pre className="overflow-x-auto px-4 pt-2 pb-3.5 [overflow-wrap:anywhere] whitespace-pre-wrap text-muted">
      {lines.map((line, index) => (
        <Said key={index} line={line} />
      ))}
    </pre>
  )
}

/** Our lines are highlighted; a response that defers or refuses the message is tinted. */
function Said({ line }: { line: string }) {
  const [, who = "", words = line] = /^([CS]: )(.*)$/s.exec(line) ?? []
  const tint = who === "C: " ? undefined : tints[words.slice(0, 1)]
  return (
    <span className={cn("block", /^\d{3}/.test(words) && tint)}>
      {who}
      {who === "C: " ? <b className="font-medium text-text">{words}</b> : words}
    </span>
  )
}

const tints: Record<string, string> = {
  4: "-mx-4 bg-warn-soft px-4 text-warn",
  5: "-mx-4 bg-bad-soft px-4 text-bad",
}
