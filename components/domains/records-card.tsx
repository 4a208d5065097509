"use client"

import { ExternalLink } from "lucide-react"
import { Fragment } from "react"
import type { Domain, Retired } from "@/components/domains/queries"
import {
  hostOf,
  type HostStyle,
  type RecordGroup,
  recordGroups,
  type ShownRecord,
  ttlSeconds,
  zoneOf,
  useHostStyle,
} from "@/components/domains/records"
import { proseOf, sharedAdvice, sharedCause } from "@/components/domains/sentence"
import {
  DomainStatusPill,
  isDifferent,
  isNeeded,
  recordPurpose,
  recordWords,
  shownTitle,
} from "@/components/domains/statuses"
import { BreakAfter } from "@/components/ui/text"
import { buttonStyle } from "@/components/ui/button-style"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { dateWords } from "@/components/ui/time-words"
import { Diff, DiffRow } from "@/components/ui/diff"
import { dynamic } from "@/components/late-parts/dynamic"
import { Hint } from "@/components/ui/callout"
import { useTimeZone } from "@/components/ui/local-time"
import { Segmented } from "@/components/ui/segmented"
import { Table, Td, Th } from "@/components/ui/table"
import { cannotSendYet, sandboxOf, waitsForInstallation } from "@/lib/domains/rules"

export function RecordsCard({ domain }: { domain: Domain }) {
  const [style, setStyle] = useHostStyle()
  const zone = zoneOf(domain)
  // Nothing is pasted before the installation can send.
  const waits = waitsForInstallation(domain)
  // Otherwise the sentence says it above the records.
  const shared = sharedCause(domain)?.code
  const isSaid = (!waits || domain.status !== "pending") && domain.status !== "verified"
  const advice = isSaid || shared === "names-changed" ? "" : sharedAdvice(domain)
  return (
    <Card aria-label="DNS records">
      <CardHeader
        title="DNS records"
        description={purposes[waits ? "captured" : sandboxOf(domain) === "answered" ? "answered" : "real"]}
        actions={
          <>
            {domain.provider ? <ProviderLink provider={domain.provider} /> : null}
            <Segmented
              label="Hosts"
              value={style}
              onChange={setStyle}
              options={[
                { value: "absolute", label: "Whole host" },
                { value: "relative", label: domain.provider ? `As ${domain.provider.name} wants it` : "Host only" },
              ]}
            />
          </>
        }
      />
      {waits ? <Hint tone="warn">{cannotSendYet}</Hint> : null}
      {waits ? null : <DomainHint domain={domain} />}
      {advice ? (
        <Hint tone="warn">
          {proseOf(advice).map(({ text, code }, index) => (code ? <code key={index}>{text}</code> : text))}
        </Hint>
      ) : null}
      <RecordTable
        groups={recordGroups(domain)}
        zone={zone}
        style={style}
        wasVerified={domain.status === "degraded"}
        shared={shared}
      />
      <CardFooter className="text-muted">
        <span>
          {style === "relative" ? (
            <>
              Hosts are relative to <code>{zone}</code>: most forms add it themselves.{" "}
            </>
          ) : (
            <>
              Hosts are whole names. If your form adds <code>{zone}</code> itself, enter the host only.{" "}
            </>
          )}
          TTL: {ttlSeconds} seconds or your provider&rsquo;s shortest, so that a fix takes effect within minutes.
        </span>
      </CardFooter>
    </Card>
  )
}

const purposes = {
  real: "Select a host or a value to copy it. Each turns green by itself once it is found.",
  answered: "What you would add at a DNS provider. Each turns green by itself once it is found.",
  captured: "What the domain needs once this installation can send.",
}

/** The DNS provider, and the page where its customers edit the zone. */
function ProviderLink({ provider }: { provider: NonNullable<Domain["provider"]> }) {
  return (
    <a className={buttonStyle()} href={provider.dnsPageUrl} target="_blank" rel="noreferrer">
      Open DNS at {provider.name}
      <ExternalLink aria-hidden="true" />
      <span className="sr-only">in a new tab</span>
    </a>
  )
}

/** How the form of the DNS provider wants the records, while there are records to paste. */
function DomainHint({ domain: { provider, status } }: { domain: Domain }) {
  const [style] = useHostStyle()
  if (!provider || status === "verified") return null
  return (
    <Hint>
      Your domain is managed at <b>{provider.name}</b>.{" "}
      {style === "relative"
        ? "The hosts below are written as its form expects them."
        : "Its form expects hosts relative to the zone. Switch to relative hosts above."}{" "}
      <Emphasised text={provider.note ?? ""} />
    </Hint>
  )
}

function Emphasised({ text }: { text: string }) {
  return text.split('"').map((part, index) => (index % 2 ? <b key={index}>{part}</b> : part))
}

/** Only a record that is published wrong needs it, so a page without one does not load it. */
const RecordDiff = dynamic(() => import("@/components/domains/record-diff").then((module) => module.RecordDiff))

type RecordTableProps = {
  groups: RecordGroup[]
  zone: string
  style: HostStyle
  /** The domain was verified before, so its required records have been there. */
  wasVerified: boolean
  /** The code of a mistake that is already said of all records together. */
  shared?: string | undefined
}

/** The records, each cell copied by a press; below 1024 px each record is a block of its own. */
function RecordTable({ groups, zone, style, wasVerified, shared }: RecordTableProps) {
  const records = groups.flatMap((group) => group.records)
  const firstOptional = records.find((record) => !isNeeded(record) && !record.standby)
  return (
    // A table that is shown as blocks loses its meaning for screen readers unless it is said again by roles.
    <Table label="DNS records" role="table" minWidth="min-w-0" className="max-lg:block">
      <colgroup>
        <col className="w-36 xl:w-48 min-[87.5rem]:w-52" />
        <col className="w-28" />
        <col className="w-44 xl:w-60 min-[87.5rem]:w-66" />
        <col />
        <col className="w-36 xl:w-44" />
      </colgroup>
      <thead role="rowgroup" className="max-lg:sr-only">
        <tr role="row">
          <Th role="columnheader">Record</Th>
          <Th role="columnheader">Type</Th>
          <Th role="columnheader">Host</Th>
          <Th role="columnheader">Value</Th>
          <Th role="columnheader">Status</Th>
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-lg:block">
        {records.map((record) => (
          <Fragment key={record.key}>
            {record === firstOptional ? (
              <tr role="row" className="max-lg:block">
                <th role="rowheader" colSpan={5} className={groupStyle}>
                  <b className="font-semibold text-text">Optional.</b> These never block sending.
                </th>
              </tr>
            ) : null}
            <RecordRow
              record={record}
              host={hostOf(record.name, zone, style)}
              wasVerified={wasVerified}
              shared={shared}
            />
          </Fragment>
        ))}
      </tbody>
    </Table>
  )
}

/** Characters of the longest value that is shown whole; a DKIM key has hundreds. */
const longestWhole = 120

type RecordRowProps = Pick<RecordTableProps, "wasVerified" | "shared"> & { record: ShownRecord; host: string }

function RecordRow({ record, host, wasVerified, shared }: RecordRowProps) {
  const said = record.likelyCause !== undefined && record.likelyCause.code === shared
  return (
    <tr role="row" className={rowStyle}>
      <Td role="cell" className={cellStyle}>
        <span className="block">{shownTitle(record)}</span>
        <span className="block text-sm text-muted">{recordPurpose(record)}</span>
      </Td>
      <Td
        role="cell"
        className={`${cellStyle} group/copy relative max-lg:col-span-2 max-lg:row-start-2 max-lg:flex max-lg:gap-2`}
      >
        <PhoneLabel>Type</PhoneLabel>
        <span className="flex items-start gap-1.5">
          <code>{record.type}</code>
          {record.priority === undefined ? null : (
            <CopyText
              wholeCell
              value={String(record.priority)}
              name={`priority of the MX record ${record.name}`}
              className="gap-1"
            />
          )}
        </span>
      </Td>
      <Td role="cell" className={`${cellStyle} ${copied} max-lg:col-span-2 max-lg:row-start-3`}>
        <PhoneLabel>Host</PhoneLabel>
        <CopyText
          wholeCell
          wrap
          value={host}
          display={<BreakAfter mark="." text={host} />}
          name={`host of the ${record.type} record ${record.name}`}
        />
      </Td>
      <Td role="cell" className={`${cellStyle} ${copied} max-lg:col-span-2 max-lg:row-start-4`}>
        <PhoneLabel>Value</PhoneLabel>
        {record.value === "" ? (
          <span className="text-muted">No value is recommended.</span>
        ) : (
          <CopyText
            wholeCell
            wrap={record.value.length <= longestWhole}
            value={record.value}
            display={record.value.length <= longestWhole ? <BreakAfter mark="." text={record.value} /> : undefined}
            name={`value of the ${record.type} record ${record.name}`}
          />
        )}
        {record.retired && record.status !== "verified" ? (
          <RetiredValue retired={record.retired} over={record.retiredOver} name={record.name} />
        ) : null}
        {isDifferent(record) && record.likelyCause?.code !== "retired-key" && !(said && record.likelyCause?.foundAt) ? (
          <RecordDiff record={record} said={said} />
        ) : null}
      </Td>
      <Td role="cell" className={`${cellStyle} max-lg:col-start-2 max-lg:row-start-1 max-lg:text-right`}>
        <DomainStatusPill words={recordWords(record, wasVerified)} inTable />
      </Td>
    </tr>
  )
}

/** Replaces the column header, which a phone has no room for. */
function PhoneLabel({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="block text-xs text-faint lg:hidden">
      {children}
    </span>
  )
}

/** What a press copies is tinted under the pointer. */
const copied = "group/copy relative hover:bg-sunken"

// The kit's group row, as a block on a small screen.
const groupStyle = "border-b border-line bg-sunken px-4 py-1.5 text-left text-xs font-normal text-muted max-lg:block"

const rowStyle =
  "max-lg:grid max-lg:grid-cols-[1fr_auto] max-lg:gap-y-2 max-lg:border-b max-lg:border-line max-lg:px-4 max-lg:py-3 " +
  "max-lg:last:border-b-0"

const cellStyle = "max-lg:min-w-0 max-lg:border-0 max-lg:p-0"

/** The value that was rotated out: it stays in the DNS, so that mail on its way can still be checked. */
function RetiredValue({ retired, over, name }: { retired: Retired; over?: boolean; name: string }) {
  const day = dateWords(retired.keepUntil, { day: "numeric", month: "long", timeZone: useTimeZone() })
  return (
    <Diff>
      <DiffRow label="Old value">
        <CopyText value={retired.value} name={`old value of the TXT record ${name}`} />
      </DiffRow>
      {over ? (
        <DiffRow label="Replace it" likely>
          Nothing is checked against the old key since {day}. Delete its value and publish the new one above: then the
          key can be rotated again. No mail waits for it.
        </DiffRow>
      ) : (
        <DiffRow label="Keep it" likely>
          Email in transit is still verified with the old key. Keep its value until {day}, then replace it with the new
          one above. Sending does not depend on it.
        </DiffRow>
      )}
    </Diff>
  )
}
