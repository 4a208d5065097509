type Access = { host: string; port: number; tlsPort: number; isPublic: boolean }

export type SmtpSample = { name: string; file: string; code: string }

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
