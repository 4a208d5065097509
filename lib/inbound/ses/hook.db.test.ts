import { createSign, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { rsaCertificate } from "@/e2e/support/inbound/rsa-certificate"
import { deliveryRows, newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { sesEvent } from "@/e2e/support/inbound/ses-events"
import { hookPathOf } from "@/lib/delivery/ses/client"
import { takeSnsPost, createSns, signedText } from "@/lib/inbound/ses/hook"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { createReach } from "@/lib/platform/networks"

const topic = "arn:aws:sns:eu-west-1:123456789012:events"
const host = "sns.eu-west-1.amazonaws.com"
const certificateUrl = `https://${host}/SimpleNotificationService-0123456789abcdef.pem`

// SNS's host on this machine: it serves the certificate of its signatures, and follows up subscriptions.
const { cert, key } = rsaCertificate(host)
const asked: string[] = []
let server: Server
let sns: ReturnType<typeof createSns>
let sender: Sending
let secret: string

beforeAll(async () => {
  server = createServer({ cert, key }, (request, response) => {
    asked.push(request.url ?? "")
    if (request.url?.startsWith("/?")) return void response.end("<ConfirmSubscriptionResponse/>")
    if (request.url === new URL(certificateUrl).pathname) return void response.end(cert)
    if (request.url === "/hung-up.pem") return void request.destroy()
    response.writeHead(request.url === "/busy.pem" ? 503 : 404).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  sns = createSns({
    resolve: async () => ["127.0.0.1"],
    guard: { reach: createReach([{ address: "127.0.0.0", prefix: 8 }]), allowsPrivate: true },
    port: (server.address() as AddressInfo).port,
    ca: cert,
  })
  sender = await newSending("eu-west-1")
  provideEnv({ SMTP_URL_EU_WEST_1: `ses://KEY:SECRET@eu-west-1?configuration-set=main&topic=${topic}` })
  secret = hookPathOf(topic).split("/").at(-1) ?? ""
})
beforeEach(() => {
  asked.length = 0
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(log, level).mockReturnValue()
})
afterAll(async () => {
  vi.restoreAllMocks()
  server.close()
  await closeDatabase()
})

type Posted = Parameters<typeof signedText>[0]

/** A message as SNS signs it; what is given afterwards is not signed. */
function signed(given: Partial<Posted>, forged: Record<string, unknown> = {}): Record<string, unknown> {
  const message = {
    ...{
      Type: "Notification",
      MessageId: randomUUID(),
      TopicArn: topic,
      Message: "",
      Timestamp: new Date().toISOString(),
    },
    ...{ SignatureVersion: "2", Signature: "", SigningCertURL: certificateUrl },
    ...given,
  } as Posted
  const Signature = createSign("RSA-SHA256").update(signedText(message)).sign(key, "base64")
  return { ...message, Signature, ...forged }
}

async function post(message: unknown, to = secret): Promise<number> {
  const body = typeof message === "string" ? message : JSON.stringify(message)
  const headers = { "content-type": "text/plain; charset=UTF-8" }
  const request = new Request(`http://localhost/hooks/ses/${to}`, { method: "POST", headers, body })
  return (await takeSnsPost(request, to, sns)).status
}

async function sentMail(): Promise<{ emailId: string; deliveryId: string }> {
  const [emailId = ""] = await sendMail(sender)
  await pool().query("UPDATE deliveries SET status = 'sent', due_at = NULL WHERE email_id = $1", [emailId])
  await pool().query("UPDATE emails SET status = 'sent' WHERE id = $1", [emailId])
  const [delivery] = await deliveryRows(emailId)
  return { emailId, deliveryId: delivery.id }
}

const statusOf = async (emailId: string) => (await deliveryRows(emailId))[0]?.status

describe("what SNS posts", () => {
  test("moves a delivery once it is verified, with one look at the certificate", async () => {
    for (let nth = 0; nth < 2; nth++) {
      const { emailId, deliveryId } = await sentMail()
      expect(
        await post(signed({ Message: JSON.stringify(sesEvent("Delivery", { deliveryId })), Subject: "An event" })),
      ).toBe(200)
      expect(await statusOf(emailId)).toBe("delivered")
    }
    expect(asked.filter((url) => url.endsWith(".pem")).length).toBeLessThanOrEqual(1)
  })

  test("is to be posted again while our own record of the hand-over is missing", async () => {
    const { emailId, deliveryId } = await sentMail()
    const message = signed({ Message: JSON.stringify(sesEvent("Delivery", { deliveryId })) })
    await pool().query("UPDATE deliveries SET status = 'sending' WHERE id = $1", [deliveryId])
    expect(await post(message)).toBe(503)
    await pool().query("UPDATE deliveries SET status = 'sent' WHERE id = $1", [deliveryId])
    expect(await post(message)).toBe(200)
    expect(await statusOf(emailId)).toBe("delivered")
  })

  test.each(["busy", "hung-up"])(
    "is to be posted again while AWS does not give its certificate: %s.pem",
    async (name) => {
      const { emailId, deliveryId } = await sentMail()
      const Message = JSON.stringify(sesEvent("Bounce", { deliveryId }))
      const message = signed({ Message, SigningCertURL: `https://${host}/${name}.pem` })
      expect(await post(message), "the status that SNS posts again after").toBe(503)
      expect(log.warn, "what the operator reads").toHaveBeenCalledWith(
        expect.objectContaining({ host }),
        "the certificate of an SNS message could not be fetched",
      )
      expect(await statusOf(emailId), "the delivery, as nothing is proven").toBe("sent")
    },
  )

  test("subscribes the topic, by the link that AWS has signed", async () => {
    const link = `https://${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=abc`
    const subscription = { Type: "SubscriptionConfirmation", Token: "abc" } as const
    expect(await post(signed({ ...subscription, SubscribeURL: link }))).toBe(200)
    expect(asked).toContain(`/?Action=ConfirmSubscription&TopicArn=${topic}&Token=abc`)
    for (const other of [
      link.replace(host, "sns.eu-west-1.amazonaws.com.evil.example"),
      link.replace(host, "169.254.169.254"),
      link.replace("https", "http"),
      link.replace("/?", "/admin?"),
      link.replace(topic, `${topic}2`),
      link.replace("ConfirmSubscription", "DeleteTopic"),
    ]) {
      asked.length = 0
      expect(await post(signed({ ...subscription, SubscribeURL: other })), other).toBe(403)
      expect(
        asked.filter((url) => url.startsWith("/?")),
        other,
      ).toEqual([])
    }
  })
})

describe("T118: what SNS has not signed for our topic", () => {
  const refused: [string, (message: string) => Record<string, unknown> | string][] = [
    ["a changed body", (Message) => signed({ Message: "{}" }, { Message })],
    ["another topic, signed by AWS all the same", (Message) => signed({ Message, TopicArn: `${topic}-of-others` })],
    [
      "another topic in the place of the signed one",
      (Message) => signed({ Message, TopicArn: `${topic}2` }, { TopicArn: topic }),
    ],
    ["raw delivery, which has no signature", (Message) => Message],
    ["no signature", (Message) => signed({ Message }, { Signature: "" })],
    ["the older signature", (Message) => signed({ Message }, { SignatureVersion: "1" })],
    [
      "a message of two hours ago",
      (Message) => signed({ Message, Timestamp: new Date(Date.now() - 7_200_000).toISOString() }),
    ],
    [
      "a message of tomorrow",
      (Message) => signed({ Message, Timestamp: new Date(Date.now() + 86_400_000).toISOString() }),
    ],
    ["no time", (Message) => signed({ Message, Timestamp: "soon" })],
    ...[
      "https://sns.eu-west-1.amazonaws.com.evil.example/x.pem",
      "https://sns.us-east-1.amazonaws.com/x.pem",
      "https://evil.example/sns.eu-west-1.amazonaws.com.pem",
      "https://user@sns.eu-west-1.amazonaws.com/x.pem",
      "https://sns.eu-west-1.amazonaws.com:8443/x.pem",
      "http://sns.eu-west-1.amazonaws.com/x.pem",
      "https://sns.eu-west-1.amazonaws.com/a/../x.txt",
      "https://sns.eu-west-1.amazonaws.com/x.pem?to=http://169.254.169.254",
    ].map((url): [string, (message: string) => Record<string, unknown>] => [
      `a certificate at ${url}`,
      (Message) => signed({ Message, SigningCertURL: url }),
    ]),
    [
      "a certificate that is not there",
      (Message) => signed({ Message, SigningCertURL: `https://${host}/missing.pem` }),
    ],
    ["no JSON", () => "{"],
  ]

  test.each(refused)("%s is refused and changes nothing", async (_, message) => {
    const { emailId, deliveryId } = await sentMail()
    expect(await post(message(JSON.stringify(sesEvent("Bounce", { deliveryId }))))).toBe(403)
    expect(await statusOf(emailId)).toBe("sent")
  })

  test("another path is none, whatever is posted there, and too large a body is refused", async () => {
    const { emailId, deliveryId } = await sentMail()
    const message = signed({ Message: JSON.stringify(sesEvent("Bounce", { deliveryId })) })
    for (const other of ["", "x", `${secret}x`, secret.toUpperCase()])
      expect(await post(message, other), other).toBe(404)
    expect(await post("x".repeat(600 * 1024))).toBe(413)
    expect(await statusOf(emailId)).toBe("sent")
  })
})
