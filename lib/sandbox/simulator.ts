/** How the sandbox answers RCPT: `null` takes the recipient. */
export type Refusal = { code: number; text: string }

/** Addresses that a later set of features will answer. */
const notOffered = ["complained", "suppressed", "delayed", "opened", "clicked"]

/**
 * What the simulator says to a recipient; labels after `+` make no difference. Every host but the simulator's takes
 * all.
 */
export function simulatorRefusal(address: string, serviceDomain: string): Refusal | null {
  const at = address.lastIndexOf("@")
  if (address.slice(at + 1).toLowerCase() !== `simulator.${serviceDomain}`) return null
  const [name = ""] = address.slice(0, at).toLowerCase().split("+", 1)
  if (name === "delivered") return null
  if (name === "bounced") return { code: 550, text: "5.1.1 User unknown: the simulator refuses this address for good" }
  if (notOffered.includes(name)) return { code: 550, text: "5.1.1 This simulator address is not offered yet" }
  return { code: 550, text: "5.1.1 The simulator has no such address" }
}
