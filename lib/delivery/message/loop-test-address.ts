import { idOfProven, provenId, type Hmac } from "@/lib/delivery/message/verp"
import { instantOf } from "@/lib/platform/ids"
import type { Region } from "@/lib/regions/regions"

const prefix = "setup+"
const purpose = "loop-test-1"
/** Octets of the keyed hash: 128 bits. */
const hashBytes = 16

/** A loop test that has not come back within this is lost, and its address reaches nobody any more. */
export const loopTestLivesMs = 600_000

/** The local part of the address to which a region's loop test is sent: it proves itself, for this region and some minutes. */
export function loopTestAddress(testId: string, region: Region, hmac: Hmac): string {
  return prefix + provenId(testId, (id) => hmac(purpose, `${region} ${id}`), hashBytes)
}

/** The loop test of a live address; null if we did not make it for the region, or too long ago. */
export function loopTestOf(localPart: string, region: Region, { hmac, now }: { hmac: Hmac; now: Date }): string | null {
  if (!localPart.toLowerCase().startsWith(prefix)) return null
  const id = idOfProven(localPart.slice(prefix.length), (text) => hmac(purpose, `${region} ${text}`), hashBytes)
  return id && now.getTime() - instantOf(id).getTime() <= loopTestLivesMs ? id : null
}
