import type { OwnFault } from "@/lib/delivery/transports/attempt"
import { formatNumber, utcMinute } from "@/lib/platform/format"
import { newId } from "@/lib/platform/ids"

/**
 * Between two probes of an unreachable relay, over all workers. Our own sandbox can be probed often; where all recipients' servers
 * refuse this machine, each probe is one more mail that one of them refuses.
 */
export const probeSeconds = { remote: 15, sandbox: 1, refused: 300 }

/** How a loop test ended: its mail came to the listener, the relay did not take it, a server returned it, or it is missing. */
export const loopTestCodes = ["passed", "not_accepted", "returned", "lost"] as const
export type LoopTestCode = (typeof loopTestCodes)[number]

/** What `delivered=dsn` of a region comes to: reports are asked for; no loop test has passed; or the relay offers none. */
export const reportsCodes = ["asked", "not_proved", "not_offered"] as const
export type ReportsCode = (typeof reportsCodes)[number]

type Outage = {
  region: string
  since: Date
  diagnostic: string
  waiting: number
  sandbox: boolean
  /** It sends to recipients' servers itself. */
  direct?: boolean
  /** What this machine lacks, or the account at the provider. */
  fault?: OwnFault | null
  /** It answers, and refuses every email. */
  refusing?: boolean
}

/** What an operator needs to know of a region whose relay is unreachable or refuses every email. Times are UTC. */
export function outageSentence({
  region,
  since,
  diagnostic,
  waiting,
  sandbox,
  direct = false,
  fault = null,
  refusing = false,
}: Outage): string {
  const who = region === "simulator" ? "The simulator" : `Region ${region}`
  const emails = waiting === 1 ? "1 email waits" : `${formatNumber(waiting)} emails wait`
  if (refusing && direct)
    return `Every mail server has refused this server since ${utcMinute(since)}: ${plain(diagnostic)}. Often its address is on a block list or has no reverse name: do what the reply says, or send through a relay at port 587 (SMTP_URL). ${emails}; Mailroom tries one of them every ${probeSeconds.refused / 60} min.`
  if (refusing)
    return `The relay of region ${region} has refused every email since ${utcMinute(since)}: ${plain(diagnostic)}. ${emails}; Mailroom tries one of them every ${probeSeconds.remote} s.`
  if (direct || fault)
    return `${who} has not been able to send since ${utcMinute(since)}: ${fault ? faultSentences(fault) : `${plain(diagnostic)}.`} ${emails}; Mailroom checks every ${probeSeconds.remote} s.`
  return `${who} has not reached its relay since ${utcMinute(since)}: ${plain(diagnostic)}. ${emails}; Mailroom checks every ${sandbox ? probeSeconds.sandbox : probeSeconds.remote} s.`
}

/** What is missing, and what an operator does about it. */
function faultSentences({ code, facts }: OwnFault): string {
  switch (code) {
    case "resolver_silent":
      return `the DNS resolver ${facts.resolvers.join(", ")} does not answer. Check that it runs and that UDP and TCP port 53 to it are open, or name another one in MX_DNS.`
    case "no_route":
      return "this server has no route to the internet. Check its network and its default route; if the hoster has cut it off, ask why."
    case "source_missing":
      return `this server does not have the address ${facts.source}, from which it is to send. Ask the hoster to route it to this server and add it to a network interface, or remove it (admin egress).`
    case "port_blocked":
      return `no connection to port ${facts.port} of any mail server succeeds. Hosters often block it against spam: ask yours to open outgoing TCP port ${facts.port} for this server, or send through a relay at port 587 (SMTP_URL).`
    case "ses_suspended":
      return "Amazon SES has suspended the account. Open a case in the AWS Support Center, or send another way (SMTP_URL)."
    case "ses_paused":
      return "Amazon SES has paused sending, for the account or for the configuration set. Find out why on the SES console's account dashboard, then turn sending on there."
    case "ses_credentials":
      return `Amazon SES does not accept the credentials: ${facts.error}. Check the key and its secret in SMTP_URL, and that its policy allows ses:SendEmail, ses:SendRawEmail and ses:GetAccount.`
    case "ses_configuration_set":
      return `Amazon SES has no configuration set ${facts.name} in this region. Create it there, or correct configuration-set in SMTP_URL.`
  }
}

const errors: [RegExp, string][] = [
  [/ECONNREFUSED/, "connection refused"],
  [/ECONNRESET/, "connection reset"],
  [/EHOSTUNREACH|ENETUNREACH/, "no route to the host"],
  [/ENOTFOUND/, "the host name does not exist"],
  [/EAI_AGAIN/, "the host name could not be looked up"],
  [/ETIMEDOUT/, "connection timed out"],
]

/** Error codes of the operating system in plain words; a server's reply stays unchanged. */
function plain(diagnostic: string): string {
  return errors.find(([code]) => code.test(diagnostic))?.[1] ?? diagnostic.replace(/\.$/, "")
}

/** Why a worker cannot reach a relay. */
export type PathFault = { since: Date; phase: string; diagnostic: string; fault?: OwnFault | undefined }

/** Which relays one worker cannot reach: it claims nothing for them, whatever other workers reach. */
export type Paths = {
  /** Of the worker. */
  id: string
  isBroken(route: string): boolean
  broken(): readonly string[]
  faults(): Readonly<Record<string, PathFault>>
  /** Records a failed connection; false if the path was known to be broken. */
  broke(route: string, fault: PathFault, probeSeconds: number): boolean
  /** Records a connection; false if the path was not broken. */
  recovered(route: string): boolean
  /** Broken paths that are due to be probed by this worker itself: none of `down`, which all workers probe together. */
  takeDue(down: ReadonlySet<string>): string[]
  /** Runs a probe; undefined if one of the route is running. */
  probing<T>(route: string, probe: () => Promise<T>): Promise<T> | undefined
}

export function createPaths(now = () => performance.now()): Paths {
  const known = new Map<string, { fault: PathFault; probeMs: number; probeAt: number }>()
  const running = new Set<string>()

  return {
    id: newId(),
    isBroken: (route) => known.has(route),
    broken: () => [...known.keys()],
    faults: () => Object.fromEntries([...known].map(([route, { fault }]) => [route, fault])),
    broke(route, fault, probeSeconds) {
      const before = known.get(route)
      const probeMs = probeSeconds * 1_000
      const since = before?.fault.since ?? fault.since
      known.set(route, { fault: { ...fault, since }, probeMs, probeAt: before?.probeAt ?? now() + probeMs })
      return !before
    },
    recovered: (route) => known.delete(route),
    takeDue(down) {
      return [...known].flatMap(([route, path]) => {
        if (down.has(route)) {
          // Once another worker has ended the outage, this one looks at once whether that is true for it too.
          path.probeAt = 0
          return []
        }
        if (now() < path.probeAt) return []
        path.probeAt = now() + path.probeMs
        return [route]
      })
    },
    probing(route, probe) {
      if (running.has(route)) return undefined
      running.add(route)
      return probe().finally(() => running.delete(route))
    },
  }
}
