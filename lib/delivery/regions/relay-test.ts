import { createPrivateKey } from "node:crypto"
import { compose } from "@/lib/delivery/message/compose"
import { systemSource } from "@/lib/delivery/egress/data"
import { sign } from "@/lib/delivery/message/dkim"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Mail } from "@/lib/delivery/transports/transport"
import { openTransport } from "@/lib/delivery/transports/transports"
import { serviceKey } from "@/lib/domains/keys/data"
import { newId } from "@/lib/platform/ids"
import { createSharedSlots } from "@/lib/platform/jobs/slots"
import { regionLabel, type Region } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** Short ones: a person waits. In all it takes no longer than `wholeMs`. */
const usualLimits = {
  connectTimeoutMs: 10_000,
  greetingTimeoutMs: 20_000,
  commandTimeoutMs: 10_000,
  dataTimeoutMs: 20_000,
  finalTimeoutMs: 30_000,
}
const wholeMs = 45_000

/** One at a time in a process. */
const inPlace = createSharedSlots({ count: 1, perOwner: 1, waitMs: 5_000 })

/**
 * Sends one email of the service through a region's next hop, over a connection of its own, signed by the service domain.
 * Resolves with the attempt, however it ended.
 * @throws SlotsBusy while another test runs
 */
export function testRelay(region: Region, to: string, limits = usualLimits): Promise<DeliveryAttempt> {
  return inPlace("relay", async () => {
    const test = await composeTest({
      ...{ id: newId(), to, date: new Date(), subject: `Test of the relay of ${regionLabel(region)}` },
      text: "This email shows that the relay of the region takes and forwards email. Its headers say what the servers on the way made of it.\n",
    })
    const transport = openTransport(regionSettings().profiles[region], limits)
    try {
      return await transport.send({
        ...{ ...test, to },
        signal: AbortSignal.timeout(wholeMs),
        takeSource: () => systemSource(region),
      })
    } finally {
      await transport.close()
    }
  })
}

type TestEmail = { id: string; to: string; date: Date; subject: string; text: string }

/** An email with which the service tests a way, from its postmaster and signed by its domain. */
export async function composeTest({
  id,
  to,
  ...rest
}: TestEmail): Promise<Required<Pick<Mail, "from" | "message" | "sender">>> {
  const { domain, selector, privateKeyPem } = await serviceKey()
  const from = `postmaster@${domain}`
  const message = await compose({
    messageId: `<${id}@${domain}>`,
    from: { name: "Mailroom", address: from },
    to: [{ address: to }],
    cc: [],
    attachments: [],
    headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
    ...rest,
  })
  const sender = { domain, selector, key: createPrivateKey(privateKeyPem) }
  return { from, message: await sign(message, sender), sender }
}
