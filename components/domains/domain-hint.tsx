import { ButtonLink } from "@/components/ui/button"
import { Hint } from "@/components/ui/hint"
import { TextLink } from "@/components/ui/text-link"
import { sandboxOf } from "@/lib/domains/registration/sandbox-rules"
import { regionLabel } from "@/lib/projects/regions"
import { lacking } from "@/components/domains/statuses"
import type { Domain } from "@/components/domains/types"
import { useHostStyle } from "@/components/domains/use-host-style"

type DomainHintProps = { domain: Domain; projectId: string }

/** The one thing to know above the records: what is wrong, what comes next, or that there is nothing to do. */
export function DomainHint({ domain, projectId }: DomainHintProps) {
  const sandbox = sandboxOf(domain)
  const mailbox = <TextLink href={`/projects/${projectId}/sandbox`}>Sandbox mailbox</TextLink>
  const captured = sandbox === "captured"
  if (domain.status === "failed") {
    return (
      <Hint tone="bad" action={captured ? mailbox : null}>
        <b>Nothing is sent from {domain.domain}.</b> Not in place for 72 hours: {lacking(domain).join(", ")}. Publish
        the red ones, then press Verify now. {captured ? <CannotSend domain={domain} /> : null}
      </Hint>
    )
  }
  if (domain.status === "degraded") {
    return (
      <Hint tone="warn" action={captured ? mailbox : null}>
        <b>A required record is missing: {lacking(domain).join(", ")}.</b> You can still send for 72 hours after that;
        publish the amber ones again. {captured ? <CannotSend domain={domain} /> : null}
      </Hint>
    )
  }
  if (captured) {
    return (
      <Hint tone="warn" action={mailbox}>
        <b>This installation cannot send yet: Sending set-up.</b> {regionLabel(domain.region)} has no way out, so mail
        from {domain.domain} is captured in the sandbox mailbox. Publish the records once whoever operates this
        installation has set up sending; to try everything now, add a domain such as <code>acme.test</code>.
      </Hint>
    )
  }
  if (domain.status === "verified") {
    return (
      <Hint tone="good" action={<ButtonLink href={`/projects/${projectId}/api-keys`}>API keys</ButtonLink>}>
        <b>Ready to send.</b> Use any address at {domain.domain} as the sender.
        {sandbox ? <> This is the sandbox: the mail stays in the {mailbox}.</> : null}
      </Hint>
    )
  }
  if (sandbox === "answered") {
    return (
      <Hint action={mailbox}>
        <b>Nothing to paste.</b> The built-in sandbox answers for <b>.test</b> domains: it publishes these records a few
        seconds after the domain was added.
      </Hint>
    )
  }
  return domain.provider ? <ProviderHint provider={domain.provider} /> : null
}

function CannotSend({ domain }: { domain: Domain }) {
  return (
    <>
      This installation cannot send yet either: {regionLabel(domain.region)} has no way out, and what it takes is
      captured in the sandbox mailbox.
    </>
  )
}

function ProviderHint({ provider }: { provider: NonNullable<Domain["provider"]> }) {
  const [style] = useHostStyle()
  return (
    <Hint>
      Your domain is managed at <b>{provider.name}</b>.{" "}
      {style === "relative"
        ? "Hosts below are written the way its form wants them."
        : "Its form wants hosts relative to the zone: switch them above."}{" "}
      <Emphasised text={provider.note ?? ""} />
    </Hint>
  )
}

/** Names of a form's fields are in quotation marks; they are shown in bold instead. */
function Emphasised({ text }: { text: string }) {
  return text.split('"').map((part, index) => (index % 2 ? <b key={index}>{part}</b> : part))
}
