import type { Tone } from "@/components/ui/pill"
import type { Diagnosis } from "@/components/domains/types"

export type DiagnosedRecord = Diagnosis["records"][number]
export type DiagnosedServer = DiagnosedRecord["servers"][number]

type Verdict = { tone: Tone; word: string }

/** A server's answer as a short label. */
export function serverWords({ outcome }: DiagnosedServer, optional: boolean): Verdict {
  if (outcome === "valid") return { tone: "good", word: "As expected" }
  if (outcome === "invalid") return { tone: "warn", word: "Different" }
  if (outcome === "unknown") return { tone: "wait", word: "No answer" }
  return { tone: optional ? "wait" : "warn", word: "Nothing there" }
}

/** What a server said, or why it said nothing, as one text. */
export function answerOf({ outcome, found, reason = "" }: DiagnosedServer): string {
  if (outcome === "unknown") return reasons[reason] ?? "The lookup failed."
  return found.length > 0 ? found.join(" | ") : "No such record."
}

const reasons: Record<string, string> = {
  timeout: "It did not answer in time.",
  unreachable: "It is unreachable.",
  refused: "It refused to answer for this name.",
  "server-failure": "It reported an internal failure.",
  malformed: "Its answer is malformed.",
  "alias-loop": "The CNAME records form a loop.",
}

/** Servers that gave the very same answer are one line: most zones are the same everywhere. */
export function groupedServers(servers: DiagnosedServer[]): { names: string[]; answer: DiagnosedServer }[] {
  const groups = new Map<string, { names: string[]; answer: DiagnosedServer }>()
  for (const answer of servers) {
    const print = JSON.stringify([answer.outcome, answer.found.toSorted(), answer.reason])
    const group = groups.get(print) ?? { names: [], answer }
    group.names.push(answer.name ?? answer.server)
    groups.set(print, group)
  }
  return [...groups.values()]
}
