import { problemOf } from "@/components/data/problem"
import { callThen } from "@/components/data/use-call"
import type { CreatedKey } from "@/components/api-keys/create-key-form"
import { useCreateKey } from "@/components/api-keys/queries"
import { shownOnce } from "@/components/api-keys/key-words"
import { StepFrame } from "@/components/overview/guide/step-frame"
import { Button } from "@/components/ui/button"
import { CopyButton } from "@/components/ui/copy-button"
import { useStay } from "@/components/ui/use-stay"
import { takeFocus } from "@/components/ui/take-focus"
import type { Permission } from "@/lib/access/permissions"

/** Code that sends also asks what became of it. */
const firstKeyPermissions: Permission[] = ["emails:send", "emails:read"]

type KeyStepProps = {
  projectId: string
  created: CreatedKey | undefined
  onCreated: (key: CreatedKey) => void
  onStored: () => void
}

/** A key that sends and reads email, shown this once. */
export function KeyStep({ projectId, created, onCreated, onStored }: KeyStepProps) {
  const create = useCreateKey()
  useStay(created !== undefined)
  if (created) {
    return (
      <StepFrame
        title="Store your API key"
        actions={
          <>
            <CopyButton value={created.apiKey}>Copy key</CopyButton>
            <Button variant="primary" onClick={onStored}>
              I have stored it
            </Button>
          </>
        }
      >
        {shownOnce}
        <code className="mono mt-3 block rounded-md border border-line bg-sunken px-4 py-3 font-medium text-text select-all">
          {created.apiKey}
        </code>
      </StepFrame>
    )
  }
  return (
    <StepFrame
      title="Create a key for your code"
      error={create.error ? problemOf(create.error).detail : undefined}
      actions={
        <Button
          ref={takeFocus}
          variant="primary"
          loading={create.isPending}
          onClick={() =>
            callThen(
              create,
              { params: { projectId }, body: { name: "First key", permissions: firstKeyPermissions } },
              onCreated,
            )
          }
        >
          Create API key
        </Button>
      }
    >
      “First key” can send email and read what became of it, and nothing else. You can create keys with other
      permissions at any time.
    </StepFrame>
  )
}
