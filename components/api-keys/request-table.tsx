"use client"

import Link from "next/link"
import { useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { byDay } from "@/components/api-keys/request-days"
import { ClockTime } from "@/components/data/clock-time"
import { BreakAfter } from "@/components/ui/break-after"
import { cn } from "@/components/ui/cn"
import { CopyText } from "@/components/ui/copy-text"
import { Table, Td, Th } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { useInBrowser } from "@/components/ui/use-in-browser"

type Request = {
  id: string
  requestId?: string | undefined
  ts: string
  method: string
  route: string
  statusCode: number
  problemCode?: string | undefined
  notice?: string | undefined
  durationMs?: number | undefined
  ip?: string | undefined
  keyId: string
  keyName?: string | undefined
}

type RequestTableProps = { requests: Request[]; projectId?: string }

/**
 * Requests with API keys under their days. Below the route are the code of the problem, if the request was refused, and
 * on a phone the time. With `projectId` they are of several keys, and each names its own.
 */
export function RequestTable({ requests, projectId }: RequestTableProps) {
  const [now] = useState(() => Date.now())
  const local = useInBrowser()
  return (
    <Table label="Requests" minWidth="min-w-0">
      <thead>
        <tr>
          <Th className="hidden w-36 sm:table-cell">Time</Th>
          <Th>Request</Th>
          <Th className="w-20 sm:w-24">Status</Th>
          <Th className="hidden w-24 md:table-cell" numeric>
            Took
          </Th>
          {projectId ? <Th className="hidden w-44 md:table-cell">Key</Th> : null}
          <Th className="hidden w-36 lg:table-cell">From</Th>
          <Th className={cn("hidden xl:table-cell", projectId ? "w-44 min-[1680px]:w-80" : "w-80")}>Request ID</Th>
        </tr>
      </thead>
      {byDay(requests, local ? undefined : "UTC", now).map(({ day, title, requests: ofDay }) => (
        <tbody key={day}>
          <tr className="border-b border-line bg-sunken">
            {/* Its text goes over the empty cells; one wide cell would add columns where some are hidden. */}
            <th
              scope="rowgroup"
              className="px-4 py-1.5 text-left text-xs font-medium whitespace-nowrap"
              suppressHydrationWarning
            >
              {title}
            </th>
            {fillers.map((className) => (
              <td key={className} className={className} />
            ))}
            {projectId ? <td className="hidden md:table-cell" /> : null}
          </tr>
          {ofDay.map((request) => (
            <Row key={request.id} request={request} projectId={projectId} />
          ))}
        </tbody>
      ))}
    </Table>
  )
}

/** The cells beside the name of a day, each there when its column is. */
const fillers = [
  "table-cell",
  ...["hidden sm:table-cell", "hidden md:table-cell", "hidden lg:table-cell", "hidden xl:table-cell"],
]

function Row({ request, projectId }: { request: Request; projectId: string | undefined }) {
  const { ts, method, route, statusCode, problemCode, notice, durationMs, keyId, keyName, ip, requestId } = request
  return (
    <tr>
      <Td muted className="hidden tabular-nums sm:table-cell">
        <ClockTime at={ts} />
      </Td>
      <Td title={route}>
        <code className="block [overflow-wrap:anywhere]">
          <span className="text-muted">{method}</span> <BreakAfter mark="/" text={route} />
        </code>
        <span
          className={cn("mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted", !problemCode && !notice && "sm:hidden")}
        >
          <span className="tabular-nums sm:hidden">
            <ClockTime at={ts} />
          </span>
          {problemCode ? (
            <TextLink href={`/problems/${problemCode}`} prefetch={false} className="font-mono [overflow-wrap:anywhere]">
              {problemCode}
            </TextLink>
          ) : null}
          {notice ? (
            <TextLink href="/docs/idempotency" prefetch={false}>
              Idempotency-Key was not read
            </TextLink>
          ) : null}
        </span>
      </Td>
      <Td>
        <span className={cn("inline-flex items-center gap-1.5 align-top tabular-nums", toneOf(statusCode))}>
          <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
          {statusCode}
        </span>
      </Td>
      <Td numeric muted className="hidden tabular-nums md:table-cell">
        {durationMs === undefined ? "" : `${formatNumber(durationMs)} ms`}
      </Td>
      {projectId ? (
        <Td truncate className="hidden md:table-cell">
          <Link href={`/projects/${projectId}/api-keys/${keyId}`} className="hover:underline">
            {keyName ?? "Unnamed key"}
          </Link>
        </Td>
      ) : null}
      <Td muted truncate className="hidden lg:table-cell">
        {ip}
      </Td>
      <Td muted className="hidden xl:table-cell">
        {requestId ? <CopyText value={requestId} name="request ID" /> : null}
      </Td>
    </tr>
  )
}

function toneOf(status: number): string {
  if (status < 400) return "text-good"
  return status < 500 ? "text-warn" : "text-bad"
}
