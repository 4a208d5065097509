import type { InboundRoute, ReceivedEmail } from "@/components/inbound/queries"
import type { Tone } from "@/components/ui/pill"
import { CopyText } from "@/components/ui/copy-button"
import { KeyValues } from "@/components/ui/key-values"

export function senderOf({ from, fromName }: Pick<ReceivedEmail, "from" | "fromName">): string {
  return fromName ?? (from || "A mail server")
}

type State = { word: string; tone: Tone; means: string }

/** Whether mail to a route's addresses comes here, in a word, and what to do if it does not. */
export function mxState({ mx }: Pick<InboundRoute, "mx">): State {
  if (!mx) return { word: "Works at once", tone: "good", means: "A test address of this service needs no DNS record." }
  switch (mx.state) {
    case "published":
      return { word: "Published", tone: "good", means: `Mail to ${mx.name} comes here.` }
    case "elsewhere":
      return {
        word: "Elsewhere",
        tone: "warn",
        means: `Mail to ${mx.name} goes to ${mx.found.join(", ")}. Use a name of its own, such as reply.${mx.name}, if people have mailboxes there.`,
      }
    case "missing":
      return { word: "Missing", tone: "warn", means: `${mx.name} has no MX record. Publish the one shown here.` }
    case "unknown":
      return { word: "No answer", tone: "wait", means: "The DNS did not answer in time." }
  }
}

/** A command that hands one email to the listener of this machine, for a shell. */
export function trialCommand(address: string, { host, port }: { host: string; port: number }): string {
  const local = address.replace("*", "anything")
  const message = `From: ada@example.com\\nTo: ${local}\\nSubject: Hello\\n\\nHi there\\n`
  return `printf '${message}' | curl smtp://${host}:${port} \\\n  --mail-from ada@example.com --mail-rcpt ${local} -T -`
}

export type Mx = NonNullable<InboundRoute["mx"]>

/** The record to publish, and the servers that are published now. */
export function MxRecord({ mx }: { mx: Mx }) {
  return (
    <KeyValues
      items={[
        { label: "Host", value: <CopyText value={mx.name} name="host" inline /> },
        { label: "Type", value: <code>MX</code> },
        { label: "Priority", value: <code>{mx.priority}</code> },
        { label: "Value", value: <CopyText value={mx.value} name="value" inline wrap /> },
        mx.found.length > 0 ? { label: "Found", value: <code>{mx.found.join(", ")}</code> } : null,
      ]}
    />
  )
}
