import { open, seal } from "@/lib/platform/crypto"
import type { Random } from "@/lib/platform/io"
import { textOfSecret } from "@/lib/webhooks/secret-rules"

const generatedBytes = 32

type Owner = { id: string; projectId: string }

/** A generated secret, in its public form. */
export function newSecret(random: Random): string {
  return textOfSecret(random.bytes(generatedBytes))
}

/** Encrypts the bytes of a secret for the row of its webhook. */
export function sealSecret(bytes: Uint8Array, owner: Owner): Buffer {
  return seal(bytes, purposeOf(owner))
}

/** The bytes of a stored secret, the current or the former one of its webhook. */
export function openSecret(sealed: Uint8Array, owner: Owner): Buffer {
  return open(sealed, purposeOf(owner))
}

/** Whether a stored secret has these bytes; false for one that cannot be opened, so that it can be replaced. */
export function isSecretOf(sealed: Uint8Array, bytes: Uint8Array, owner: Owner): boolean {
  try {
    return openSecret(sealed, owner).equals(bytes)
  } catch {
    return false
  }
}

/** The former secret is a copy of what the column of the current one held, so both are bound to the same row. */
function purposeOf({ id, projectId }: Owner): string {
  return `webhooks|secret|${id}|${projectId}`
}
