import { randomUUID } from "node:crypto"
import { CreateQueueCommand, SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs"
import { interceptLocalhostDns, startFauxqs } from "fauxqs"
import { deliveryTag } from "@/lib/delivery/ses/client"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { hmac } from "@/lib/platform/crypto"

type About = { deliveryId: string; address?: string; messageId?: string; tag?: string }

const at = "2026-11-27T10:00:00.000Z"

/** An event as SES writes it, about one delivery. */
export function sesEvent(type: string, about: About, details: Record<string, unknown> = {}) {
  const { deliveryId, address = "ada@lovelace.example", messageId = `0100-${deliveryId}` } = about
  const tag = about.tag ?? verpFor(deliveryId, hmac)
  const bodies: Record<string, Record<string, unknown>> = {
    Send: { send: {} },
    Delivery: { delivery: { timestamp: at, recipients: [address], smtpResponse: "250 2.0.0 OK" } },
    Open: { open: { timestamp: at, ipAddress: "192.0.2.1" } },
    Click: { click: { timestamp: at, link: "https://example.com" } },
    DeliveryDelay: {
      deliveryDelay: {
        timestamp: at,
        delayType: "MailboxFull",
        delayedRecipients: [{ emailAddress: address, status: "4.2.2", diagnosticCode: "smtp; 452 4.2.2 Mailbox full" }],
        ...details,
      },
    },
    Bounce: {
      bounce: {
        timestamp: at,
        feedbackId: `bounce-${deliveryId}`,
        bounceType: "Permanent",
        bounceSubType: "General",
        bouncedRecipients: [
          {
            emailAddress: address,
            action: "failed",
            status: "5.1.1",
            diagnosticCode: "smtp; 550 5.1.1 user unknown",
          },
        ],
        ...details,
      },
    },
    Complaint: {
      complaint: {
        timestamp: at,
        feedbackId: `complaint-${deliveryId}`,
        complainedRecipients: [{ emailAddress: address }],
        complaintFeedbackType: "abuse",
        ...details,
      },
    },
    Reject: { reject: { reason: "Bad content", ...details } },
    "Rendering Failure": { failure: { errorMessage: "A value is missing.", templateName: "t", ...details } },
    Subscription: { subscription: { contactList: "all" } },
  }
  return {
    eventType: type,
    mail: {
      ...{ timestamp: at, messageId, source: "hello@acme.test", destination: [address] },
      tags: { "ses:configuration-set": ["main"], [deliveryTag]: [tag] },
    },
    ...bodies[type],
  }
}

/** The same in the envelope of SNS, as a queue without raw delivery gets it. */
export function inEnvelope(event: unknown, topic = "arn:aws:sns:eu-west-1:123456789012:events"): string {
  return JSON.stringify({
    ...{ Type: "Notification", MessageId: randomUUID(), TopicArn: topic, Timestamp: new Date().toISOString() },
    Message: JSON.stringify(event),
  })
}

/** A queue of a server that speaks SQS. */
export async function startEventQueue() {
  const server = await startFauxqs({ port: 0, logger: false })
  // It knows a queue by its whole URL, at sqs.eu-west-1.localhost.
  const restoreDns = interceptLocalhostDns()
  const client = new SQSClient({
    ...{ region: "eu-west-1", endpoint: `http://127.0.0.1:${server.port}` },
    credentials: { accessKeyId: "KEY", secretAccessKey: "SECRET" },
  })
  const { QueueUrl: url = "" } = await client.send(new CreateQueueCommand({ QueueName: "events" }))
  return {
    url,
    async send(...bodies: string[]): Promise<void> {
      for (let at = 0; at < bodies.length; at += 10) {
        const Entries = bodies.slice(at, at + 10).map((MessageBody, nth) => ({ Id: String(nth), MessageBody }))
        await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }))
      }
    },
    /** Messages that wait, and those that somebody has received and not deleted. */
    left(): number {
      const { ready = [], delayed = [], inflight = [] } = server.inspectQueue("events")?.messages ?? {}
      return ready.length + delayed.length + inflight.length
    },
    async stop(): Promise<void> {
      client.destroy()
      restoreDns()
      await server.stop()
    },
  }
}
