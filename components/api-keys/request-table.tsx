import Link from "next/link"
import { Pill, type Tone } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { Table, Td, Th } from "@/components/ui/table"

type Request = {
  id: string
  ts: string
  method: string
  route: string
  statusCode: number
  durationMs?: number | undefined
  ip?: string | undefined
  keyId: string
  keyName?: string | undefined
}

/**
 * Requests with API keys; on a phone the time is below the route. With `projectId` they are of several keys, and each names
 * its own.
 */
export function RequestTable({
  requests,
  busy,
  projectId,
}: {
  requests: Request[]
  busy: boolean
  projectId?: string
}) {
  return (
    <Table label="Requests" minWidth="min-w-0" aria-busy={busy}>
      <thead>
        <tr>
          <Th className="hidden w-36 sm:table-cell">Time</Th>
          <Th>Request</Th>
          <Th className="w-24">Status</Th>
          <Th className="hidden w-24 md:table-cell" numeric>
            Took
          </Th>
          {projectId ? <Th className="hidden w-44 md:table-cell">Key</Th> : null}
          <Th className="hidden w-36 lg:table-cell">From</Th>
        </tr>
      </thead>
      <tbody>
        {requests.map(({ id, ts, method, route, statusCode, durationMs, keyId, keyName, ip }) => (
          <tr key={id}>
            <Td muted className="hidden sm:table-cell">
              <RelativeTime at={ts} />
            </Td>
            <Td title={route}>
              <code className="block [overflow-wrap:anywhere] sm:truncate">
                <span className="text-muted">{method}</span> {route}
              </code>
              <RelativeTime at={ts} className="mt-0.5 block text-xs text-muted sm:hidden" />
            </Td>
            <Td>
              <Pill tone={toneOf(statusCode)}>{statusCode}</Pill>
            </Td>
            <Td numeric muted className="hidden tabular-nums md:table-cell">
              {durationMs === undefined ? "" : `${durationMs.toLocaleString("en")} ms`}
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
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function toneOf(status: number): Tone {
  if (status < 400) return "good"
  return status < 500 ? "warn" : "bad"
}
