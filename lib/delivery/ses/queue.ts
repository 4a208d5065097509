import type { SesTarget } from "@/lib/regions/settings"

/** As many as SQS gives at a time, and the seconds that it waits for the first. */
const messagesMax = 10
const pollSeconds = 20
/** Received messages come again after so long unless they are deleted. */
const hiddenSeconds = 60
/** Milliseconds. */
const limits = { connect: 5_000, answer: pollSeconds * 1_000 + 10_000, whole: pollSeconds * 1_000 + 15_000 }

export type QueueMessage = { body: string; handle: string; receivedTimes: number }

/** The SQS queue that the events of SES go to. Calls reject as the SDK does. */
export type EventQueue = Awaited<ReturnType<typeof openEventQueue>>

/**
 * Loads the SDK, which is large: only where a region sends by SES it is needed.
 * @param waitSeconds how long a poll waits at the server for the first message
 */
export async function openEventQueue({ awsRegion, credentials }: SesTarget, url: string, waitSeconds = pollSeconds) {
  const {
    ChangeMessageVisibilityBatchCommand,
    DeleteMessageBatchCommand,
    GetQueueAttributesCommand,
    ReceiveMessageCommand,
    SQSClient,
  } = await import("@aws-sdk/client-sqs")
  const client = new SQSClient({
    // Queues of another region than that of SES are named by their URL.
    region: /^sqs\.([a-z0-9-]+)\./.exec(new URL(url).hostname)?.[1] ?? awsRegion,
    ...(credentials && { credentials }),
    endpoint: new URL(url).origin,
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: limits.connect,
      requestTimeout: limits.answer,
      throwOnRequestTimeout: true,
    },
  })
  const options = (signal?: AbortSignal) => {
    const whole = AbortSignal.timeout(limits.whole)
    return { abortSignal: signal ? AbortSignal.any([signal, whole]) : whole }
  }
  const entriesOf = (handles: readonly string[]) =>
    handles.map((ReceiptHandle, at) => ({ Id: String(at), ReceiptHandle }))

  return {
    async receive(signal?: AbortSignal): Promise<QueueMessage[]> {
      const command = new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: messagesMax,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: hiddenSeconds,
        MessageSystemAttributeNames: ["ApproximateReceiveCount"],
      })
      const { Messages = [] } = await client.send(command, options(signal))
      return Messages.map(({ Body = "", ReceiptHandle = "", Attributes }) => ({
        body: Body,
        handle: ReceiptHandle,
        receivedTimes: Number(Attributes?.ApproximateReceiveCount ?? 1),
      }))
    },

    /** They are done with. One that is not deleted comes again, which does nothing. */
    async remove(handles: readonly string[]): Promise<void> {
      if (handles.length > 0)
        await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entriesOf(handles) }), options())
    },

    /** They come again after so many seconds. */
    async putOff(messages: readonly { handle: string; seconds: number }[]): Promise<void> {
      if (messages.length === 0) return
      const Entries = entriesOf(messages.map(({ handle }) => handle)).map((entry, at) => ({
        ...entry,
        VisibilityTimeout: messages[at]?.seconds,
      }))
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }), options())
    },

    /** About how many messages wait. */
    async waiting(signal?: AbortSignal): Promise<number> {
      const command = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["ApproximateNumberOfMessages"] })
      return Number((await client.send(command, options(signal))).Attributes?.ApproximateNumberOfMessages ?? 0)
    },

    close: () => client.destroy(),
  }
}
