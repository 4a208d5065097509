import { Hint } from "@/components/ui/hint"
import { TextLink } from "@/components/ui/text-link"
import { regionLabel } from "@/lib/projects/regions"
import type { Domain } from "./types"

type SandboxHintProps = { domain: Domain; sandbox: "answered" | "captured" | null; projectId: string }

/** Says what the sandbox does with this domain, instead of leaving the owner to wonder why nothing arrives. */
export function SandboxHint({ domain, sandbox, projectId }: SandboxHintProps) {
  if (sandbox === "answered") {
    return (
      <Hint action={<TextLink href={`/projects/${projectId}/sandbox`}>Sandbox mailbox</TextLink>}>
        <b>Nothing to paste.</b> The built-in sandbox answers for <b>.test</b> domains: it publishes these records a few
        seconds after the domain was added. Mail from {domain.domain} stays in the sandbox mailbox.
      </Hint>
    )
  }
  if (sandbox === "captured") {
    return (
      <Hint tone="warn" action={<TextLink href={`/projects/${projectId}/sandbox`}>Sandbox mailbox</TextLink>}>
        <b>This installation cannot send yet: Sending set-up.</b> {regionLabel(domain.region)} has no way out, so mail from{" "}
        {domain.domain} is captured in the sandbox mailbox. Publish the records once whoever operates this installation
        has set up sending; to try everything now, add a domain such as <code>acme.test</code>.
      </Hint>
    )
  }
  return null
}
