import type { Destination, DestinationDetail } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"

type State = Pick<Destination, "state" | "pause" | "pacePerMinute" | "refusedAddresses">

const pauses: Record<NonNullable<Destination["pause"]>, { tone: Tone; text: string; why: string }> = {
  away: {
    tone: "bad",
    text: "Away",
    why: "No server of it could be reached. One email is tried at the end of each pause; the pauses grow from a minute to an hour.",
  },
  slow: {
    tone: "warn",
    text: "Paused: slow down",
    why: "Its servers asked us to slow down, and again at one email a minute. Send less to it, or wait.",
  },
  block: {
    tone: "bad",
    text: "Refuses our address",
    why: "Its servers refuse the address that we send from. Ask the provider to remove the block; the reply often has the link.",
  },
  operator: { tone: "wait", text: "Paused by you", why: "Nothing is sent to it until you resume it." },
  warm_up: {
    tone: "wait",
    text: "Warming up",
    why: "The address that we send from has reached what it may send today. The rest goes tomorrow.",
  },
}

/** What a destination is doing, as a pill and a sentence. */
export function destinationWords({ state, pause, pacePerMinute, refusedAddresses }: State): {
  tone: Tone
  text: string
  why: string
} {
  if (pause && state === "trying")
    return {
      ...pauses[pause],
      tone: "warn",
      text: "Trying again",
      why: "One email is on its way to find out whether the pause is over.",
    }
  if (pause) return pauses[pause]
  if (pacePerMinute !== undefined)
    return {
      tone: "warn",
      text: `Slowed to ${paceWords(pacePerMinute)}`,
      why: "Its servers asked us to slow down. The pace grows by half every five minutes in which they do not.",
    }
  if (refusedAddresses > 0)
    return {
      tone: "bad",
      text: refusedAddresses === 1 ? "Refuses an address" : `Refuses ${refusedAddresses} addresses`,
      why: "Email from there waits; from other addresses it leaves as it comes. Open it for what its servers said, and to try again.",
    }
  return { tone: "good", text: "Flowing", why: "Email to it leaves as it comes." }
}

/** What the servers of a destination asked for. */
export const signalWords: Record<DestinationDetail["hours"][number]["signals"][number], string> = {
  connections: "asked for fewer connections",
  mails: "asked for fewer emails on a connection",
  slow: "asked us to slow down",
  block: "refused our address",
  away: "could not be reached",
}

/** "12 a minute" */
export function paceWords(perMinute: number): string {
  return `${perMinute < 10 ? Math.round(perMinute * 10) / 10 : Math.round(perMinute)} a minute`
}
