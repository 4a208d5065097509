import { type Claimed, putBack } from "@/lib/delivery/queue/claims/data"

/** Claims in a row that may end without an outcome before a delivery is suspected of crashing the worker. */
const endingsMax = 3
/** Between the next claims of waiting suspects. */
const apartSeconds = 0.2

export type Suspects = {
  /** Returns the claims that may be worked on now. */
  admit(claimed: Claimed[]): Promise<Claimed[]>
  left(claimed: Claimed): void
}

/**
 * A process that crashes loses every delivery that it held, and each of those claims counts against its delivery. From
 * the fourth in a row on, suspects are worked on one at a time: then only the mail that causes the crash is given up, and
 * not those that were merely running beside it.
 */
export function createSuspects(aloneMs = 5_000): Suspects {
  let admitted: Claimed | undefined
  let since = 0

  return {
    async admit(claimed) {
      const suspects = claimed.filter(({ unfinished }) => unfinished > endingsMax)
      if (suspects.length === 0) return claimed
      // A delivery that merely waits for a silent server is not what crashes the process.
      if (performance.now() - since >= aloneMs) admitted = undefined
      const chosen = admitted
        ? undefined
        : suspects.reduce((one, other) => (other.unfinished < one.unfinished ? other : one))
      const others = suspects.filter((one) => one !== chosen)
      if (chosen) [admitted, since] = [chosen, performance.now()]
      try {
        if (others.length > 0) await putBack(others, apartSeconds)
      } catch (error) {
        if (admitted === chosen) admitted = undefined
        throw error
      }
      return claimed.filter((one) => !others.includes(one))
    },
    left(claimed) {
      if (admitted === claimed) admitted = undefined
    },
  }
}
