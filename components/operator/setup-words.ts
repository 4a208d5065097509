import type { SetupRowWire } from "@/components/operator/queries"
import type { Tone } from "@/components/ui/pill"
import type { Region } from "@/lib/regions/regions"

export const setupStateWords: Record<SetupRowWire["state"], { tone: Tone; text: string }> = {
  ok: { tone: "good", text: "OK" },
  wrong: { tone: "bad", text: "Wrong" },
  unknown: { tone: "wait", text: "Unknown" },
  waiting: { tone: "warn", text: "Waiting" },
  overridden: { tone: "wait", text: "Overridden" },
}

/** Where a row is changed. */
export const setupPlaceWords: Record<SetupRowWire["place"], string> = {
  dns: "In DNS",
  hoster: "At the hoster",
  env: "In .env",
  server: "To do",
  page: "To do",
}

type Step = { text: string; lines?: string }

/** A queue takes nothing of a topic that its policy does not name, subscribed or not. */
const queuePolicy = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Principal: { Service: "sns.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: "QUEUE_ARN",
      Condition: { ArnEquals: { "aws:SourceArn": "TOPIC_ARN" } },
    },
  ],
}

/** Ways to send: what is done, one step after the other, with the lines and where they go. */
export const waysToSend: readonly { name: string; steps: readonly Step[] }[] = [
  {
    name: "Direct",
    steps: [
      {
        text: "In the file .env of Mailroom's folder, then restart it:",
        lines:
          "SERVICE_DOMAIN=mail.example.com\nBASE_URL=https://app.mail.example.com\nHOST=127.0.0.1\nTRUSTED_PROXY_HOPS=1\nSMTP_URL_US_EAST_1=direct:\nINBOUND_PORT=25",
      },
      {
        text: "In a shell of this server, for each address that email leaves from:",
        lines: "npm run --silent admin -- egress add 203.0.113.5 --ehlo out1.mail.example.com",
      },
      { text: "At your DNS provider: the records of the zone file on this page." },
      { text: "Where you rent the server: reverse DNS of each address, with its --ehlo name." },
      { text: "In the operator mailbox: the loop test. Then Check now on this page." },
    ],
  },
  {
    name: "Postfix",
    steps: [
      {
        text: "In a shell of the server on which Mailroom and Postfix run:",
        lines: "npm run --silent admin -- relay-config --region eu-west-1",
      },
      {
        text: "It prints /etc/postfix/main.cf and a line of /etc/postfix/master.cf. Once they are there:",
        lines: "postfix check && systemctl restart postfix",
      },
      { text: "In .env:", lines: "SMTP_URL_EU_WEST_1=smtp://127.0.0.1:10025?delivered=dsn\nINBOUND_PORT=25" },
      { text: "In the operator mailbox: the loop test. Reports of delivery count once it passes." },
    ],
  },
  {
    name: "Amazon SES",
    steps: [
      {
        text: "In the SES console: ask for production access, and create a key whose policy allows what the operator's guide lists. Mailroom adds the sending domains itself.",
      },
      {
        text: "With the AWS command line: a configuration set whose events go to a queue. In place of QUEUE_URL, QUEUE_ARN and TOPIC_ARN is what the commands answer.",
        lines: [
          "aws sesv2 create-configuration-set --configuration-set-name mailroom",
          "aws sqs create-queue --queue-name mailroom-events",
          "aws sqs get-queue-attributes --queue-url QUEUE_URL --attribute-names QueueArn",
          "aws sns create-topic --name mailroom-events",
          `aws sqs set-queue-attributes --queue-url QUEUE_URL --attributes '${JSON.stringify({ Policy: JSON.stringify(queuePolicy) })}'`,
          "aws sns subscribe --topic-arn TOPIC_ARN --protocol sqs --notification-endpoint QUEUE_ARN",
          "aws sesv2 create-configuration-set-event-destination --configuration-set-name mailroom --event-destination-name mailroom --event-destination 'Enabled=true,MatchingEventTypes=[DELIVERY,BOUNCE,COMPLAINT,REJECT,DELIVERY_DELAY,RENDERING_FAILURE],SnsDestination={TopicArn=TOPIC_ARN}'",
        ].join("\n"),
      },
      {
        text: "In .env, with / and + of the secret percent-encoded; without KEY:SECRET@ the role of the machine counts:",
        lines:
          "SMTP_URL_EU_WEST_1=ses://KEY:SECRET@eu-west-1?configuration-set=mailroom&events=https://sqs.eu-west-1.amazonaws.com/ACCOUNT/mailroom-events",
      },
      { text: "Check now on this page: the rows about Amazon SES say what is missing." },
    ],
  },
  {
    name: "SendGrid",
    steps: [
      { text: "At SendGrid: authenticate the sending domains, create an API key that may send mail." },
      {
        text: "In .env, where the user name is the word apikey:",
        lines: "SMTP_URL=smtp://apikey:API_KEY@smtp.sendgrid.net:587",
      },
    ],
  },
  {
    name: "Mailgun",
    steps: [
      { text: "At Mailgun: add the sending domains, create SMTP credentials." },
      {
        text: "In .env, where %40 stands for the @ in the user name; outside the EU the host is smtp.mailgun.org:",
        lines: "SMTP_URL=smtp://postmaster%40mg.example.com:PASSWORD@smtp.eu.mailgun.org:587",
      },
    ],
  },
  {
    name: "Postmark",
    steps: [
      { text: "At Postmark: verify the sending domains, copy the server's API token." },
      {
        text: "In .env, where the token is both the user name and the password:",
        lines: "SMTP_URL=smtp://TOKEN:TOKEN@smtp.postmarkapp.com:587",
      },
    ],
  },
]

/** The key of a row, as its confirmation names it. */
export function setupRowKey({ key, region, address }: SetupRowWire) {
  return { key, ...(region && { region: region as Region }), ...(address && { address }) }
}
