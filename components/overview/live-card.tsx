"use client"

import Link from "next/link"
import { useSyncExternalStore, type ReactNode } from "react"
import { ClockTime } from "@/components/data/clock-time"
import { HourStrip } from "@/components/overview/hour-strip"
import { ConnectionWords, useStream } from "@/components/stream/stream-connection"
import { eventWords } from "@/components/stream/events"
import { AddressText, TextLink } from "@/components/ui/text"
import { Card, CardHeader } from "@/components/ui/card"
import { cn } from "@/components/ui/cn"
import type { Tone } from "@/components/ui/pill"
import { SkeletonRows } from "@/components/ui/loading"

const shown = 4

/** The last hour and the newest events. A hidden tab opens no stream, because a browser has few connections. */
export default function LiveCard({ projectId }: { projectId: string }) {
  const visible = useSyncExternalStore(
    subscribeToVisibility,
    () => !document.hidden,
    () => false,
  )
  const { connection, log } = useStream(projectId, { enabled: visible, recall: true })
  const newest = log.shown.slice(-shown).reverse()
  const nothing = newest.length === 0 && connection.state !== "connecting"
  return (
    <Card aria-labelledby="overview-live">
      <CardHeader
        id="overview-live"
        title="Live"
        actions={
          <>
            <ConnectionWords connection={connection} />
            <TextLink href={`/projects/${projectId}/stream`}>Open Live</TextLink>
          </>
        }
      />
      {nothing ? null : <HourStrip projectId={projectId} events={log.shown} />}
      {nothing ? (
        <p className="px-4 py-3 text-muted">Nothing has happened yet.</p>
      ) : newest.length === 0 ? (
        <SkeletonRows rows={shown} label="Loading the latest events" />
      ) : (
        <ul className="divide-y divide-line">
          {newest.map(({ id, type, emailId, occurredAt, data }) => (
            <li key={id}>
              <LiveRow
                href={`/projects/${projectId}/emails/${emailId}`}
                {...eventWords(type)}
                to={data.to ?? ""}
                subject={data.subject ?? ""}
              >
                <ClockTime at={occurredAt} />
              </LiveRow>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

type LiveRowProps = { href: string; tone: Tone; word: string; to: string; subject: string; children: ReactNode }

function LiveRow({ href, tone, word, to, subject, children }: LiveRowProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      className="grid min-h-10 grid-cols-[104px_minmax(0,1fr)] items-center gap-2 px-4 py-2 -outline-offset-2 hover:bg-sunken
        sm:grid-cols-[104px_minmax(0,3fr)_minmax(0,2fr)_auto] sm:gap-3"
    >
      <span className={cn("flex items-center gap-2", tone === "bad" && "text-bad", tone === "warn" && "text-warn")}>
        <span aria-hidden="true" className={cn("size-2 rounded-full", dot[tone])} />
        {word}
      </span>
      <span className="font-medium [overflow-wrap:anywhere]">
        <AddressText address={to} />
      </span>
      <span className="hidden truncate text-muted sm:block">{subject}</span>
      <span className="hidden text-faint sm:block">{children}</span>
    </Link>
  )
}

const dot: Record<Tone, string> = { wait: "bg-line-field", warn: "bg-warn", good: "bg-good", bad: "bg-bad" }

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener)
  return () => document.removeEventListener("visibilitychange", listener)
}
