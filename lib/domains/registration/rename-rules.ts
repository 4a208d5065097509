import type { FieldProblem } from "@/lib/platform/http/problem"
import { hostname } from "@/lib/addresses/hostname"

type HostNames = { mailFromDomain: string; trackingDomain: string }

/** The names in their wire form, and why one of them is not possible beside the other or under this domain. */
export function hostNameFaults(
  domain: HostNames & { name: string },
  change: { mailFromDomain?: string; trackingDomain?: string },
): { names: Partial<HostNames>; faults: FieldProblem[] } {
  const names: Partial<HostNames> = {}
  const faults: FieldProblem[] = []
  for (const field of ["mailFromDomain", "trackingDomain"] as const) {
    const text = change[field]
    if (text === undefined) continue
    const read = hostname(text)
    if (!read.ok) faults.push({ pointer: `/${field}`, detail: `This name ${read.reason}` })
    else if (!read.ascii.endsWith(`.${domain.name}`)) {
      faults.push({ pointer: `/${field}`, detail: `It must lie under ${domain.name}, such as send.${domain.name}.` })
    } else names[field] = read.ascii
  }
  const { mailFromDomain, trackingDomain } = { ...domain, ...names }
  if (mailFromDomain === trackingDomain) {
    const field = names.trackingDomain ? "trackingDomain" : "mailFromDomain"
    const detail = "One name cannot serve both: beside the tracking host's alias no other record counts."
    faults.push({ pointer: `/${field}`, detail })
  }
  return { names, faults }
}
