import { putBack, type Claimed } from "@/lib/delivery/queue/claim-sql"

/** Claims that may end without a word before a delivery is suspected of ending the worker's process itself. */
const endingsMax = 3
/** Between the next tries of suspects that wait for their turn. */
const apartSeconds = 0.2

export type Suspects = {
  /** Of what was claimed, what may be worked on now. */
  admit(claimed: Claimed[]): Promise<Claimed[]>
  left(claimed: Claimed): void
}

/**
 * A process that ends takes down all that it had in hand, and each of those claims counts against its delivery. From the
 * fourth in a row on a delivery is worked on only while no other of that kind is: then the mail that does the harm is
 * counted out, and those that merely stood beside it are not.
 */
export function createSuspects(aloneMs = 5_000): Suspects {
  let inHand: Claimed | undefined
  let since = 0

  return {
    async admit(claimed) {
      const suspects = claimed.filter(({ unfinished }) => unfinished > endingsMax)
      if (suspects.length === 0) return claimed
      // One that waits for a silent server does no harm.
      if (performance.now() - since >= aloneMs) inHand = undefined
      const chosen = inHand
        ? undefined
        : suspects.reduce((one, other) => (other.unfinished < one.unfinished ? other : one))
      const others = suspects.filter((one) => one !== chosen)
      if (chosen) [inHand, since] = [chosen, performance.now()]
      try {
        if (others.length > 0) await putBack(others, apartSeconds)
      } catch (error) {
        if (inHand === chosen) inHand = undefined
        throw error
      }
      return claimed.filter((one) => !others.includes(one))
    },
    left(claimed) {
      if (inHand === claimed) inHand = undefined
    },
  }
}
