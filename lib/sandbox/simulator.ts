import { unansweredNames } from "@/lib/emails/simulator"

/** How the sandbox answers RCPT: `null` takes the recipient. */
export type Refusal = { code: number; text: string }

/**
 * What the simulator says to a recipient; labels after `+` make no difference. Every host but the simulator's takes
 * all. `delayed@` is always asked to come back (RFC 5321 section 4.2.1), so its mail takes the whole path of a full
 * queue elsewhere: tries after 1, 5, 15 minutes and on, `delivery_delayed` after the third, given up in the end.
 * `suppressed@` is held back at admission and never gets here, and a send to a name without an answer is refused there.
 */
export function simulatorRefusal(address: string, serviceDomain: string): Refusal | null {
  const at = address.lastIndexOf("@")
  if (address.slice(at + 1).toLowerCase() !== `simulator.${serviceDomain}`) return null
  const [name = ""] = address.slice(0, at).toLowerCase().split("+", 1)
  if (name === "delivered") return null
  if (name === "delayed") return { code: 451, text: "4.7.0 The simulator asks every mail for this address to wait" }
  if (name === "bounced") return { code: 550, text: "5.1.1 User unknown: the simulator refuses this address for good" }
  if (unansweredNames.includes(name)) return { code: 550, text: "5.1.1 This simulator address is not offered yet" }
  return { code: 550, text: "5.1.1 The simulator has no such address" }
}
