import type { Delivery, Explanation } from "@/components/emails/types"

/** Why nothing was sent; emails from before the reason was stored name the possible reasons. */
export function suppressed({ address, suppressedBy, suppressedDetail }: Delivery): Explanation {
  const listed = `${address} is on the suppression list, so nothing was sent.`
  switch (suppressedBy) {
    case "topic_opt_out":
      return {
        tone: "wait",
        title: `${suppressedDetail ?? "Left the topic"}: nothing was sent to ${address}.`,
        detail:
          "Mail of a topic goes to nobody who is out of it. A contact joins by its preferences; mail without this topic still arrives.",
      }
    case "simulator":
      return { tone: "wait", title: `The simulator treats ${address} as suppressed.`, detail: "Nothing was sent." }
    case "bounce":
      return { tone: "wait", title: listed, detail: "An earlier email bounced there. Ask for an address that works." }
    case "complaint":
      return {
        tone: "wait",
        title: listed,
        detail: "They marked an earlier email as spam. Write only to people who asked for it.",
      }
    case "unsubscribe":
      return { tone: "wait", title: listed, detail: "They asked for no more mail." }
    case "manual":
      return { tone: "wait", title: listed, detail: "Somebody of this project put it there." }
    default:
      return {
        tone: "wait",
        title: listed,
        detail: "An earlier email bounced there, or its reader asked for no more mail. Ask for an address that works.",
      }
  }
}
