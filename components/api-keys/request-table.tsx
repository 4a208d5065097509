"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import Link from "next/link"
import { ClockTime } from "@/components/data/clock-time"
import { BreakAfter, TextLink } from "@/components/ui/text"
import { cn } from "@/components/ui/cn"
import { CopyText } from "@/components/ui/copy-button"
import { dateWords } from "@/components/ui/time-words"
import { Cells, type Column, Heads, RowLink, shownFrom, Table, TableRow } from "@/components/ui/table"
import { useLocalTime } from "@/components/ui/local-time"
import { formatNumber } from "@/lib/platform/format"
import { hourMs } from "@/lib/platform/time"

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

type RequestTableProps = {
  projectId: string
  requests: Request[]
  /** Each request names its own key. */
  ofSeveralKeys?: boolean
}

/**
 * Requests with API keys under their days; each opens. Below the route are the code of the problem, if the request was
 * refused, and on a phone what its columns would say.
 */
export function RequestTable({ projectId, requests, ofSeveralKeys = false }: RequestTableProps) {
  const now = useOpenedAt()
  const local = useLocalTime()
  const columns = columnsOf(projectId, ofSeveralKeys)
  return (
    <Table label="Requests" minWidth="min-w-0">
      <thead>
        <tr>
          <Heads columns={columns} />
        </tr>
      </thead>
      {requestsByDay(requests, local ? undefined : "UTC", now).map(({ day, title, requests: ofDay }) => (
        <tbody key={day}>
          <tr className="border-b border-line bg-sunken">
            {/* Its text goes over the empty cells; one wide cell would add columns where some are hidden. */}
            <th scope="rowgroup" className="px-4 py-1.5 text-left text-xs font-medium whitespace-nowrap">
              {title}
            </th>
            {columns.map(({ from }, at) => (at === 1 ? null : <td key={at} className={cn(from && shownFrom[from])} />))}
          </tr>
          {ofDay.map((request) => {
            const href = request.requestId && `/projects/${projectId}/logs/${request.requestId}`
            return (
              <TableRow key={request.id} href={href}>
                <Cells columns={columns} row={request} href={href} />
              </TableRow>
            )
          })}
        </tbody>
      ))}
    </Table>
  )
}

function columnsOf(projectId: string, ofSeveralKeys: boolean): Column<Request>[] {
  return [
    {
      head: "Time",
      from: "sm",
      width: "w-32",
      muted: true,
      cellClassName: "tabular-nums",
      cell: ({ ts }) => <ClockTime at={ts} />,
    },
    {
      head: "Request",
      title: ({ route }) => route,
      cell: (request, href) => <RequestLine request={request} href={href} withKey={ofSeveralKeys} />,
    },
    { head: "Status", width: "w-20 sm:w-24", cell: ({ statusCode }) => <RequestStatus code={statusCode} /> },
    {
      head: "Took",
      from: "md",
      width: "w-24",
      numeric: true,
      muted: true,
      cell: ({ durationMs }) => (durationMs === undefined ? "" : `${formatNumber(durationMs)} ms`),
    },
    ...(ofSeveralKeys ? [keyColumn(projectId)] : []),
    { head: "IP address", from: "lg", width: "w-32", muted: true, truncate: true, cell: ({ ip }) => ip },
    {
      head: "Request ID",
      from: "xl",
      width: ofSeveralKeys ? "w-40 min-[1400px]:w-76" : "w-76",
      muted: true,
      cell: ({ requestId }) => (requestId ? <CopyText value={requestId} name="request ID" /> : null),
    },
  ]
}

function keyColumn(projectId: string): Column<Request> {
  return {
    head: "Key",
    from: "md",
    width: "w-40",
    truncate: true,
    cell: ({ keyId, keyName }) => (
      <Link href={`/projects/${projectId}/api-keys/${keyId}`} className="hover:underline">
        {keyName ?? "Unnamed key"}
      </Link>
    ),
  }
}

type RequestLineProps = { request: Request; href: string; withKey: boolean }

function RequestLine({ request, href, withKey }: RequestLineProps) {
  const { ts, method, route, problemCode, notice, durationMs, keyName } = request
  return (
    <>
      <RowLink href={href} className="block font-normal [overflow-wrap:anywhere]">
        <code>
          <span className="text-muted">{method}</span> <BreakAfter mark="/" text={route} />
        </code>
      </RowLink>
      <span className={cn("mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted", !problemCode && !notice && "md:hidden")}>
        <span className="tabular-nums sm:hidden">
          <ClockTime at={ts} />
        </span>
        {durationMs === undefined ? null : <span className="md:hidden">{formatNumber(durationMs)} ms</span>}
        {withKey ? <span className="md:hidden">{keyName ?? "Unnamed key"}</span> : null}
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
    </>
  )
}

/** The status of an answer in the colour of its class. */
export function RequestStatus({ code }: { code: number }) {
  return (
    <span className={cn("inline-flex items-center gap-1.5 align-top tabular-nums", toneOf(code))}>
      <span aria-hidden="true" className="size-1.5 rounded-full bg-current" />
      {code}
    </span>
  )
}

function toneOf(status: number): string {
  if (status < 400) return "text-good"
  return status < 500 ? "text-warn" : "text-bad"
}

type Dated = { ts: string }

type RequestDay<R> = { day: string; title: string; requests: R[] }

/** Requests under the day on which they were made, in the order given; by UTC until the reader's time zone is known. */
export function requestsByDay<R extends Dated>(
  requests: readonly R[],
  timeZone: string | undefined,
  now: number,
): RequestDay<R>[] {
  const dayOf = (at: number | string) => dateWords(at, { dateStyle: "short", timeZone })
  const [today, yesterday] = [dayOf(now), dayBefore(now, dayOf)]
  const days: RequestDay<R>[] = []
  for (const request of requests) {
    const day = dayOf(request.ts)
    const last = days.at(-1)
    if (last?.day === day) last.requests.push(request)
    else {
      const name = nameOf(request.ts, timeZone, today.slice(-4) !== day.slice(-4))
      const title = day === today ? `Today, ${name}` : day === yesterday ? `Yesterday, ${name}` : name
      days.push({ day, title, requests: [request] })
    }
  }
  return days
}

/** By hours: on the days on which the clocks change, 24 hours ago is the same day still, or the one before. */
function dayBefore(now: number, dayOf: (at: number) => string): string {
  const today = dayOf(now)
  let at = now
  while (dayOf(at) === today) at -= hourMs
  return dayOf(at)
}

function nameOf(at: string, timeZone: string | undefined, otherYear: boolean): string {
  return dateWords(at, {
    timeZone,
    ...{ weekday: "long", day: "numeric", month: "long" },
    ...(otherYear ? { year: "numeric" } : {}),
  })
}
