import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyText } from "@/components/ui/copy-button"
import { KeyValues } from "@/components/ui/key-values"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text"

type SmtpAccessProps = {
  projectId: string
  access: { host: string; port: number; tlsPort: number; isPublic: boolean }
  /** Who runs the installation can do something about a missing certificate. */
  operator: boolean
}

/** How a program that speaks SMTP sends as the project: where it connects, with what, and the lines of its configuration. */
export function SmtpAccess({ projectId, access, operator }: SmtpAccessProps) {
  const { host, port, tlsPort, isPublic } = access
  const samples = smtpSamples(access)
  return (
    <>
      {isPublic ? null : (
        <Callout tone="warn" title="Only programs on this machine can connect">
          {operator
            ? "Set TLS_CERT and TLS_KEY to the files of a certificate, and programs elsewhere can connect too. They would otherwise send their key to a server that nobody vouches for."
            : "The operator has to give the server a certificate before programs elsewhere can connect."}
        </Callout>
      )}
      <Card>
        <CardHeader title="Connection" />
        <KeyValues
          items={[
            { label: "Host", value: <CopyText value={host} name="host" /> },
            { label: "Port", value: `${port} with STARTTLS, ${tlsPort} with TLS` },
            { label: "User", value: <CopyText value="apikey" name="user" /> },
            {
              label: "Password",
              value: (
                <>
                  An API key that may send, of those under{" "}
                  <TextLink href={`/projects/${projectId}/api-keys`}>API keys</TextLink>
                </>
              ),
            },
          ]}
        />
        <CardBody className="border-t border-line text-muted">
          Email by SMTP is accepted as by the API: with the same limits, suppressions and topics. An email that is sent
          again because the answer was lost is not sent twice. The guide <TextLink href="/docs/smtp">SMTP</TextLink> has
          the headers that set topic, tags and time, and what each reply means.
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="Your program" />
        <Tabs label="Programs" tabs={samples.map(({ name }) => ({ value: name, label: name }))}>
          {samples.map(({ name, file, code }) => (
            <TabPanel key={name} value={name}>
              <p className="border-b border-line px-4 py-2.5 font-mono text-sm text-muted">{file}</p>
              <CodeBlock bare wrap={false} code={code} name={`${name} configuration`} />
            </TabPanel>
          ))}
        </Tabs>
      </Card>
    </>
  )
}

type Access = { host: string; port: number; tlsPort: number; isPublic: boolean }

type SmtpSample = { name: string; file: string; code: string }

/** Said where the server has no certificate of an authority; `.data` is the folder of DATA_DIR. */
const trust = "start it with SSL_CERT_FILE=.data/smtp-certificate.pem, by its full path"

/** What each program is told, in its own configuration. */
export function smtpSamples({ host, port, tlsPort, isPublic }: Access): SmtpSample[] {
  return [
    {
      name: "nodemailer",
      file: "mail.mjs",
      code: `import nodemailer from "nodemailer"

export const transport = nodemailer.createTransport({
  host: "${host}",
  port: ${port},
  requireTLS: true,
  auth: { user: "apikey", pass: process.env.MAILROOM_KEY },${isPublic ? "" : "\n  // The server on this machine has no certificate yet.\n  tls: { rejectUnauthorized: false },"}
})`,
    },
    {
      name: "Django",
      file: "settings.py",
      code: `import os
${isPublic ? "" : `\n# The server on this machine has no certificate yet: ${trust}.`}
EMAIL_HOST = "${host}"
EMAIL_PORT = ${port}
EMAIL_USE_TLS = True
EMAIL_HOST_USER = "apikey"
EMAIL_HOST_PASSWORD = os.environ["MAILROOM_KEY"]`,
    },
    {
      name: "Rails",
      file: "config/environments/production.rb",
      code: `config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: "${host}",
  port: ${port},
  enable_starttls: true,
  authentication: :plain,
  user_name: "apikey",
  password: ENV["MAILROOM_KEY"]${isPublic ? "" : `,\n  # The server on this machine has no certificate yet.\n  openssl_verify_mode: "none"`}
}`,
    },
    {
      name: "Laravel",
      file: ".env",
      code: `MAIL_MAILER=smtp
MAIL_SCHEME=smtps
MAIL_HOST=${host}
MAIL_PORT=${tlsPort}
MAIL_USERNAME=apikey
MAIL_PASSWORD=mr_live_…${isPublic ? "" : `\n# The server on this machine has no certificate yet: set 'verify_peer' => false for smtp in config/mail.php.`}`,
    },
    {
      name: "WordPress",
      file: "wp-content/mu-plugins/mailroom.php",
      code: `<?php
add_action('phpmailer_init', function ($mail) {
    $mail->isSMTP();
    $mail->Host = '${host}';
    $mail->Port = ${port};
    $mail->SMTPSecure = 'tls';
    $mail->SMTPAuth = true;
    $mail->Username = 'apikey';
    $mail->Password = getenv('MAILROOM_KEY');${isPublic ? "" : `\n    // The server on this machine has no certificate yet.\n    $mail->SMTPOptions = ['ssl' => ['verify_peer' => false, 'verify_peer_name' => false]];`}
});`,
    },
    {
      name: "Supabase",
      file: "supabase/config.toml",
      code: `[auth.email.smtp]
enabled = true
host = "${host}"
port = ${port}
user = "apikey"
pass = "env(MAILROOM_KEY)"
admin_email = "hello@example.com"
sender_name = "Acme"`,
    },
    {
      name: "Ghost",
      file: "config.production.json",
      code: `"mail": {
  "from": "Acme <hello@example.com>",
  "transport": "SMTP",
  "options": {
    "host": "${host}",
    "port": ${port},
    "requireTLS": true,${isPublic ? "" : `\n    "tls": { "rejectUnauthorized": false },`}
    "auth": { "user": "apikey", "pass": "mr_live_…" }
  }
}`,
    },
  ]
}
