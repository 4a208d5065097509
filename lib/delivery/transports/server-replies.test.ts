import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { classify, countsAgainstRecipient, subjectOf } from "@/lib/delivery/transports/classify"
import { outcomeOf, type DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Phase } from "@/lib/explanation/codes"

// Replies as servers give them, in our own words after public ones, several lines joined as the client joins them.

const mailFrom = "b+x7@send.acme.test"
const rcpt = "ada@lovelace.example"

function refused(reply: string, phase: Phase = "rcpt") {
  const code = Number(reply.slice(0, 3))
  const text = reply.slice(4)
  const enhanced = /^[245]\.\d+\.\d+(?=\s|$)/.exec(text)?.[0]
  const at = new Date("2026-11-21T08:00:00.000Z")
  const attempt: DeliveryAttempt = {
    outcome: outcomeOf(phase, code),
    phase,
    code,
    ...(enhanced ? { enhanced } : {}),
    text,
    remote: "mx",
    conversation: [`C: MAIL FROM:<${mailFrom}> SIZE=900`, "S: 250 ok", `C: RCPT TO:<${rcpt}>`],
    startedAt: at,
    endedAt: at,
  }
  return { attempt, decision: classify(attempt) }
}

type Row = [provider: string, reply: string, phase?: Phase]

/** The recipient's mailbox does not exist or is closed: these suppress. */
const missing: Row[] = [
  [
    "Gmail",
    "550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces. For more information, go to https://support.google.com/mail/?p=NoSuchUser a1-20020a05.22 - gsmtp",
  ],
  [
    "Gmail",
    "550 5.2.1 The email account that you tried to reach is disabled. For more information, go to https://support.google.com/mail/?p=DisabledUser x7si9 - gsmtp",
  ],
  [
    "Gmail",
    "550 5.2.1 The email account that you tried to reach is inactive. Learn more at https://support.google.com/mail/?p=InactiveUser",
  ],
  [
    "Outlook",
    "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302). [AM6.prod.protection.outlook.com]",
  ],
  [
    "Microsoft 365",
    "550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [DB5.mail.protection.outlook.com 2026-11-21T08:00:00.000Z 08DC]",
  ],
  [
    "Microsoft 365",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@lovelace.example not found by SMTP address lookup",
  ],
  ["Microsoft 365", "550 5.1.1 RESOLVER.ADR.ExRecipNotFound; not found"],
  ["Microsoft 365", "550 5.1.6 Recipient no longer on server"],
  [
    "Yahoo",
    "554 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com) [0] - mta4123.mail.bf1.yahoo.com",
    "final",
  ],
  ["Yahoo", "552 1 Requested mail action aborted, mailbox not found", "final"],
  ["AOL", "550 5.1.1 <ada@lovelace.example>: Email address does not exist"],
  ["Apple", "550 5.1.1 <ada@lovelace.example>: user does not exist"],
  ["Apple", "550 5.1.1 unknown or illegal alias: ada@lovelace.example"],
  ["GMX", "550 5.1.1 User unknown: ada@lovelace.example"],
  ["T-Online", "550 user unknown"],
  ["WEB.DE", "550 Requested action not taken: mailbox not found"],
  ["Exim", "550 Unrouteable address"],
  ["Exim", "550 No Such User Here"],
  ["Exim", "550-5.1.1 <ada@lovelace.example> 550 5.1.1 No such user here".replace("550-", "550 ")],
  ["cPanel", "550 No such person at this address"],
  ["cPanel", '550 No Such User Here"'],
  ["Postfix", "550 5.1.1 <ada@lovelace.example>: Recipient address rejected: User unknown in local recipient table"],
  ["Postfix", "550 5.1.1 <ada@lovelace.example>: Recipient address rejected: User unknown in virtual mailbox table"],
  ["Postfix", "550 5.7.1 <ada@lovelace.example>: Recipient address rejected: User unknown in relay recipient table"],
  ["Postfix", '550 <ada@lovelace.example>: Recipient address rejected: undeliverable address: unknown user: "ada"'],
  [
    "Postfix",
    "550 5.1.1 <ada@lovelace.example>: Recipient address rejected: undeliverable address: host in.example[192.0.2.9] said: 550 5.1.1 unknown user (in reply to RCPT TO command)",
  ],
  ["Sendmail", "550 5.1.1 <ada@lovelace.example>... User unknown"],
  ["Sendmail", "553 5.3.0 <ada@lovelace.example>... Unknown user"],
  ["Proofpoint", "550 5.1.1 User Unknown"],
  ["Proofpoint", "550 5.1.1 <ada@lovelace.example>: Recipient address rejected: recipient unknown"],
  ["Mimecast", "550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550 [lK9Xw.uk123]"],
  ["Barracuda", "550 5.1.1 No such user (ada@lovelace.example)"],
  ["Barracuda", "550 permanent failure for one or more recipients (ada@lovelace.example:550 5.1.1 User unknown)"],
  ["QQ", "550 Mailbox not found. https://service.mail.qq.com/detail/122/167"],
  ["QQ", "550 The recipient's mailbox does not exist [abc]"],
  ["NetEase", "550 User not found: ada@163.com"],
  ["NetEase", "550 Invalid User: ada@126.com"],
  [
    "Mail.ru",
    "550 Message was not accepted -- invalid mailbox. Local mailbox ada@mail.ru is unavailable: user not found",
  ],
  [
    "Mail.ru",
    "550 Message was not accepted -- invalid mailbox. Local mailbox ada@mail.ru is unavailable: account is disabled",
  ],
  ["Yandex", "550 5.7.1 No such user!"],
  ["Orange", "550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR204_418"],
  ["Free.fr", "550 5.1.1 <ada@free.fr>: Recipient address rejected: Utilisateur inconnu"],
  ["Comcast", "550 5.1.1 Not our Customer"],
  ["AT&T", "550 5.1.1 <ada@att.example> recipient does not exist here"],
  ["Charter", "550 5.1.1 recipient invalid"],
  ["Zoho", "550 5.1.1 User does not exist - <ada@lovelace.example>"],
  ["Domino", "550 ada@lovelace.example... No such user"],
  ["Domino", "550 5.1.1 User ada (ada@lovelace.example) not listed in Domino Directory"],
  ["qmail", "550 sorry, no mailbox here by that name. (#5.1.1)"],
  ["qmail", "550 5.1.1 sorry, no mailbox here by that name (#5.1.1 - chkuser)"],
  ["hMailServer", "550 Unknown user"],
  ["MDaemon", "550 <ada@lovelace.example>, Recipient unknown"],
  ["Rackspace", "550 5.1.1 <ada@lovelace.example>: Recipient address rejected: User unknown"],
  [
    "a policy in the text of a missing mailbox",
    "550 5.1.1 <ada@lovelace.example>: user unknown; rejected by local policy",
  ],
  ["an address that has our words", "550 5.1.1 <sender-policy@spam.example>: Recipient address rejected: User unknown"],
  ["an address that has our words", "550 <postmaster.blocked@client.example>: no such user"],
  ["Mailgun relay", "550 5.1.1 The recipient's mailbox does not exist"],
  ["SES relay", "550 5.1.1 Recipient not found: ada@lovelace.example"],
  ["German server", "550 Empfaenger unbekannt"],
  ["Spanish server", "550 Usuario desconocido"],
  ["closed mailbox", "550 The mailbox has been closed"],
  ["closed mailbox", "550 5.2.1 Mailbox disabled for this recipient"],
  ["closed mailbox", "550 5.2.1 The mailbox <ada@lovelace.example> has expired"],
  ["an address that has words of a passing state", "550 5.1.1 <temporary.quota@lovelace.example>: user unknown"],
  ["bad syntax", "501 5.1.3 Bad recipient address syntax"],
]

/** The mailbox is full, or in another state that passes: not suppressed by itself. */
const full: Row[] = [
  [
    "Gmail",
    "552 5.2.2 The email account that you tried to reach is over quota and inactive. Please direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm",
    "final",
  ],
  ["Yahoo", "552 1 Requested mail action aborted, mailbox is full", "final"],
  ["QQ", "550 Mailbox is full", "final"],
  ["Courier", "550 Recipient's mailbox exceeded its storage quota"],
  ["Dovecot", "552 5.2.2 <ada@lovelace.example> Quota exceeded (mailbox for user is full)", "final"],
  ["Dovecot", "550 5.2.2 <ada@lovelace.example> Quota exceeded (mailbox for user is full)"],
  ["RFC 5321", "552 Requested mail action aborted: exceeded storage allocation", "final"],
  ["Yandex", "552 5.2.2 Mailbox size limit exceeded", "final"],
  ["cPanel", "552 5.2.2 Mailbox is full / Blocks limit exceeded / Inode limit exceeded", "final"],
  ["CommuniGate", "550 Recipient <ada@lovelace.example> rejected: account is full (quota exceeded)"],
  ["Exim", "550 mailbox is full (MTA-imposed quota exceeded while writing to maildir)", "final"],
  ["MDaemon", "552 Message for <ada@lovelace.example> would exceed mailbox quota", "final"],
  ["Juno", "552 <ada@lovelace.example>... Mail quota exceeded", "final"],
  ["a file system", "550 5.2.2 Disk quota exceeded", "final"],
  ["Orange", "552 5.1.1 hibJumn68I371 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]", "final"],
  ["La Poste", "550 5.1.1 <ada@laposte.example>: boîte pleine"],
  ["anybody", "553 5.1.1 mailbox overquota"],
  ["German server", "550 5.1.1 Postfach voll"],
  ["German server", "550 5.1.1 Das Postfach des Empfaengers ist voll"],
  ["German server", "550 5.1.1 Das Postfach des Empfängers ist voll"],
  ["German server", "550 5.1.1 Benutzer unbekannt oder vorübergehend nicht erreichbar"],
  ["Spanish server", "550 5.1.1 Buzon lleno"],
  ["Spanish server", "550 5.1.1 El buzón del usuario está lleno"],
  ["Italian server", "550 5.1.1 casella piena"],
  ["Portuguese server", "550 5.1.1 Caixa postal do destinatario cheia"],
  ["Dutch server", "550 5.1.1 Het postvak van de gebruiker is vol"],
  ["Chinese server", "550 5.1.1 收件人邮箱已满"],
  ["a passing state", "550 5.1.1 Recipient temporarily unavailable"],
  ["a passing state", "550 5.2.1 mailbox temporarily disabled: ada@lovelace.example"],
  ["a passing state", "550 The mailbox is disabled temporarily"],
]

/** The mailbox is busy, or nothing is said: not suppressed by itself. */
const passing: Row[] = [
  [
    "Gmail",
    "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. https://support.google.com/mail/?p=ReceivingRatePerm",
  ],
  ["GMX", "550 Requested action not taken: mailbox unavailable For explanation visit https://www.gmx.net/e/d"],
  ["Exim", "550 Administrator of the mailbox may tell you more"],
  ["a queue", "550 5.2.1 Message expired in queue"],
  ["forwarding", "551 User not local; please try elsewhere"],
  ["anybody", "554 Transaction failed", "final"],
  ["anybody", "550 Requested action not taken: mailbox unavailable"],
]

/** Everything about us: sender, checks of it, account, address, policy, lists, content, our limits, TLS, signing in. */
const aboutUs: Row[] = [
  ["relay", "550 5.7.1 Your account has been suspended. Please contact support."],
  ["relay", "550 Your account has been disabled"],
  ["relay", "550 5.1.1 Your account does not exist"],
  ["relay", "550 5.7.1 This account has been suspended"],
  ["relay", "550 Account suspended"],
  ["relay", "550 5.7.0 Account disabled due to non-payment"],
  ["relay", "550 User account is not activated. Please verify your address"],
  ["relay", "550 5.7.1 Relay access denied"],
  ["relay", "550 5.7.1 Unable to relay for ada@lovelace.example"],
  ["relay", "554 5.7.1 <ada@lovelace.example>: Relay access denied"],
  ["relay", "550 relay not permitted, user unknown"],
  ["relay", "550 5.7.1 Daily sending quota exceeded for this user"],
  ["relay", "550 5.2.2 Sending quota of your mailbox exceeded"],
  ["relay", "550 5.4.5 Daily user sending limit exceeded"],
  ["relay", "552 5.2.2 Quota exceeded for this account", "final"],
  ["Outlook", "554 5.2.2 Submission quota exceeded", "final"],
  ["IONOS", "552 Requested mail action aborted: exceeded storage allocation. Message size limit exceeded.", "final"],
  ["relay", "550 You have exceeded the number of recipients per hour; user unknown to our limits"],
  ["Exim callout", "550 Verification failed for <b+x7@send.acme.test> No Such User Here Sender verify failed"],
  ["Exim callout", "550 Verification failed for <b+x7@send.acme.test> Unrouteable address Sender verify failed"],
  [
    "Exim callout",
    "550 Verification failed for <b+x7@send.acme.test> The mail server could not deliver mail to b+x7@send.acme.test. The account or domain may not exist, they may be blacklisted, or missing the proper dns entries. Sender verify failed",
  ],
  ["Exim callout", "550 Sender verify failed"],
  ["Exim callout", "550 Callback setup failed while verifying <b+x7@send.acme.test> User unknown"],
  ["cPanel callout", "550 5.1.1 Sender callout verification failed: no such user here"],
  ["cPanel", "550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)"],
  [
    "cPanel",
    "550 JunkMail rejected - host.test [192.0.2.4] is in an RBL, see https://www.spamhaus.org/query/ip/192.0.2.4",
  ],
  ["cPanel", "550 Domain acme.test has exceeded the max emails per hour (100/100 (100%)) allowed. Message discarded."],
  ["our own address", "550 5.1.1 <b+x7@send.acme.test>: user unknown"],
  ["our own address", "550 no such user: b+x7@send.acme.test"],
  ["our own domain", "550 5.1.1 unknown user at send.acme.test: postmaster@send.acme.test does not exist"],
  ["Postfix", "550 5.1.0 <b+x7@send.acme.test>: Sender address rejected: User unknown in local recipient table"],
  ["Postfix", "550 5.1.1 <b@x.test>: Sender address rejected: undeliverable address: user unknown"],
  ["Postfix", "553 5.7.1 <b@x.test>: Sender address rejected: not owned by user relay@acme.test"],
  ["Postfix", "450 4.1.8 <b@x.test>: Sender address rejected: Domain not found"],
  ["Postfix", "554 5.7.1 <client.test[192.0.2.4]>: Client host rejected: Access denied"],
  ["Postfix", "554 5.7.1 <ada@lovelace.example>: Recipient address rejected: Access denied"],
  ["Postfix", "550 5.7.25 Client host rejected: cannot find your hostname, [192.0.2.4]"],
  ["Postfix", "504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname"],
  [
    "Postfix",
    "554 5.7.1 Service unavailable; Client host [192.0.2.4] blocked using zen.spamhaus.org; https://www.spamhaus.org/query/ip/192.0.2.4",
  ],
  ["Sendmail", "550 5.7.1 Access denied"],
  ["Sendmail", "553 5.1.8 <b@x.test>... Domain of sender address b@x.test does not exist"],
  ["Sendmail", "550 5.7.1 Command rejected"],
  [
    "Gmail",
    "550 5.7.26 This mail has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.",
    "final",
  ],
  [
    "Gmail",
    "550 5.7.1 [192.0.2.4 12] Gmail has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked.",
    "final",
  ],
  [
    "Gmail",
    "550 5.7.1 [192.0.2.4] The IP you're using to send mail is not authorized to send email directly to our servers.",
  ],
  ["Gmail", "550 5.7.25 The IP address sending this message does not have a PTR record setup", "final"],
  ["Gmail", "550 5.4.5 Daily user sending limit exceeded. https://support.google.com/a/answer/166852"],
  [
    "Gmail relay",
    "550 5.7.1 Invalid credentials for relay [192.0.2.4]. The IP address you've registered doesn't match the domain of the account this email is being sent from.",
    "mail",
  ],
  [
    "Outlook",
    "550 5.7.1 Unfortunately, messages from [192.0.2.4] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).",
  ],
  [
    "Outlook",
    "550 5.7.515 Access denied, sending domain ACME.TEST does not meet the required authentication level.",
    "final",
  ],
  [
    "Microsoft 365",
    "550 5.7.606 Access denied, banned sending IP [192.0.2.4]. To request removal from this list please visit https://sender.office.com/",
  ],
  ["Microsoft 365", "550 5.1.8 Access denied, bad outbound sender AS(42004)"],
  ["Microsoft 365", "550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP"],
  ["Microsoft 365", "550 5.7.64 TenantAttribution; Relay Access Denied"],
  ["Microsoft 365", "550 5.7.60 SMTP; Client does not have permissions to send as this sender"],
  [
    "Microsoft 365",
    "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required; Delivery restriction check failed",
  ],
  ["Microsoft 365", "550 5.7.705 Access denied, tenant has exceeded threshold"],
  ["Yahoo", "553 5.7.1 [BL21] Connections will not be accepted from 192.0.2.4, because the ip is in Spamhaus's list"],
  [
    "Yahoo",
    "554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes",
    "final",
  ],
  ["Yahoo", "554 Message not allowed - [PH01] Email not accepted for policy reasons", "final"],
  ["AOL", "554 5.7.1 (CON:B1) https://postmaster.aol.com/error-codes#554conb1 your IP has no reverse lookup"],
  ["Apple", "550 5.7.1 Your email was rejected due to having a domain present in the Spamhaus DBL", "final"],
  [
    "Apple",
    "554 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137",
    "final",
  ],
  ["Apple", "550 5.7.0 From header field uses a domain that does not exist", "final"],
  [
    "GMX",
    "554 Transaction failed Reject due to policy restrictions. For explanation visit https://postmaster.gmx.net/en/case?c=r0103",
    "final",
  ],
  ["GMX", "550 Requested action not taken: mailbox unavailable Sender address is not allowed."],
  [
    "WEB.DE",
    "550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record of the sender",
  ],
  ["WEB.DE", "554 IP address is black listed. https://postmaster.web.de/error-messages?ip=192.0.2.4"],
  [
    "T-Online",
    "554 IP=192.0.2.4 - None/bad reputation. Ask your postmaster for help or contact tobr@rx.t-online.de for reset.",
  ],
  ["Exim", "550 Rejected because 192.0.2.4 is in a black list at b.barracudacentral.org"],
  ["Exim", "550 R1: HELO should be a FQDN or address literal"],
  ["Exim", "550 SPF: 192.0.2.4 is not allowed to send mail from acme.test"],
  ["Exim", "550 authentication required"],
  ["Exim", "550 Administrative prohibition"],
  ["Proofpoint", "554 Blocked - see https://ipcheck.proofpoint.com/?ip=192.0.2.4"],
  ["Proofpoint", "550 5.7.1 Sender ID (PRA) Not Permitted"],
  ["Proofpoint", "554 5.7.0 Blocked by content filter: phishing", "final"],
  ["Mimecast", "550 Anti-Spoofing policy - Inbound not allowed - https://community.mimecast.com/docs/DOC-1369#550"],
  ["Mimecast", "550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550"],
  ["Mimecast", "550 Local CT IP Reputation - (reject)"],
  ["Mimecast", "550 Rejected by header based manually Blocked Senders: b@x.test"],
  [
    "Barracuda",
    "554 Service unavailable; Client host [acme.test] blocked using Barracuda Reputation; https://www.barracudanetworks.com/reputation/?r=1&ip=192.0.2.4",
  ],
  ["Barracuda", "550 5.7.1 Message rejected due to content restrictions", "final"],
  ["Cisco", "550 5.7.1 Your access to submit messages to this e-mail system has been rejected."],
  ["Cisco", "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation."],
  [
    "Trend Micro",
    "550 5.7.1 Service unavailable; host [192.0.2.4] is blocked using Trend Micro Email Reputation Service",
  ],
  ["QQ", "550 Mail content denied. https://service.mail.qq.com/detail/122/57", "final"],
  ["QQ", "550 Ip frequency limited. https://service.mail.qq.com/detail/122/57"],
  ["QQ", "550 Domain frequency limited [abc]. https://service.mail.qq.com"],
  ["QQ", "550 Suspected bounce attacks, sender not found"],
  ["NetEase", "554 DT:SPM 163 smtp10, please see http://mail.163.com/help/help_spam_16.htm", "final"],
  ["NetEase", "550 MI:IPB, please see http://mail.163.com/help"],
  ["NetEase", "553 Requested action not taken: Local user only, Authentication is required to send mail"],
  ["Mail.ru", "550 Access from ip address 192.0.2.4 blocked. Visit http://mail.ru/notspam/"],
  ["Mail.ru", "550 spam message rejected. Please visit http://help.mail.ru/notspam-support/id?c=x", "final"],
  ["Mail.ru", "550 Sender verification failed: no such user b+x7@send.acme.test"],
  ["Russian server", "550 5.1.1 Адрес отправителя отклонён: пользователь не существует"],
  ["Yandex", "554 5.7.1 Message rejected under suspicion of SPAM; https://ya.cc/1IrBc", "final"],
  ["Yandex", "553 5.7.1 Sender address rejected: not owned by auth user."],
  ["Yandex", "550 5.7.1 Bad outgoing mailbox: account is blocked"],
  ["Orange", "550 5.2.0 Mail rejete. Mail rejected. OFR_506 [506]"],
  [
    "Orange",
    "550 5.7.1 Service refuse. Veuillez essayer plus tard. Service refused, please try later. OFR_999 [999] client blocked",
  ],
  ["Orange", "554 5.7.1 Client host blocked using OFR102_104; adresse IP bloquee"],
  ["Comcast", "554 5.7.1 Message blocked due to spam content: IB703", "final"],
  [
    "Comcast",
    "554 resimta-01.sys.comcast.net 192.0.2.4 Comcast block for spam. Please see https://postmaster.comcast.net/smtp-error-codes.php#BL000000",
  ],
  ["Comcast", "550 5.2.0 Sender rejected: domain does not exist"],
  [
    "SES",
    "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: hello@acme.test",
  ],
  [
    "SES",
    "554 Sending paused for this account. For more information, please check the inbox of the email address associated with your AWS account.",
  ],
  [
    "SES",
    "554 Access denied: User `arn:aws:iam::1:user/relay' is not authorized to perform `ses:SendRawEmail'",
    "final",
  ],
  ["SES", "454 Throttling failure: Daily message quota exceeded.", "final"],
  ["SendGrid", "550 Unauthenticated senders not allowed"],
  [
    "SendGrid",
    "550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.",
    "final",
  ],
  ["SendGrid", "550 Account disabled. Maximum credits exceeded"],
  ["Mailgun", "550 5.7.1 Domain send.acme.test is not allowed to send: Free accounts are for test purposes only"],
  [
    "Mailgun",
    "550 Please activate your Mailgun account. Check your inbox or log in to your control panel to resend the activation email.",
  ],
  ["Postmark", "550 This server is inactive: your account is pending approval"],
  ["Brevo", "525 5.7.1 Unauthorized IP address 192.0.2.4"],
  ["TLS", "550 5.7.10 Encryption required for this recipient; user not found in TLS policy"],
  ["TLS", "550 Must issue a STARTTLS command first; unknown user"],
  ["content", "552 5.7.0 This message was blocked because its content presents a potential security issue", "final"],
  ["content", "550 Virus found in message: no such account", "final"],
  ["quoted", "550 5.7.1 rejected: 'user unknown' at sender's mail exchanger"],
  ["quoted", "550 No such user here (callback to the return path failed)"],
  ["several sentences", "550 User unknown. Your IP 192.0.2.4 is listed at bl.test."],
  ["several sentences", "550 5.1.1 Your subscription has expired. User not found."],
  ["several sentences", "550 5.0.0 Recipient invalid for client without authentication"],
  ["German server", "550 Absenderadresse abgelehnt: Benutzer unbekannt"],
  ["Chinese server", "550 发件人用户不存在"],
]

describe("a refusal is about somebody", () => {
  test("at least 120 replies of known servers are in the tables", () => {
    const all = [...missing, ...full, ...passing, ...aboutUs]
    expect(new Set(all.map(([, reply]) => reply)).size).toBeGreaterThanOrEqual(180)
  })

  it.each(missing)("%s suppresses: %s", (_, reply, phase) => {
    expect(refused(reply, phase).decision).toMatchObject({ kind: "bounced", bounceType: "hard", suppress: true })
  })

  it.each([...full, ...passing])("%s only counts: %s", (_, reply, phase) => {
    const { decision } = refused(reply, phase)
    expect(decision).toMatchObject({ kind: "bounced", bounceType: "soft", suppress: false })
  })

  it.each(aboutUs)("%s counts against no recipient: %s", (_, reply, phase) => {
    const { attempt, decision } = refused(reply, phase)
    expect(decision.suppress).toBe(false)
    if (decision.kind === "bounced") expect(["block", "ours", "content"]).toContain(decision.bounceType)
    if (decision.kind === "retry") expect(countsAgainstRecipient(attempt)).toBe(false)
  })

  it("recognizes every text about us by its words alone", () => {
    const texts = aboutUs.map(([, reply]) => wordsOf(reply)).filter(isClear)
    expect(texts.filter((text) => !["sender", "us"].includes(subjectOf(text, [mailFrom, "@send.acme.test"])))).toEqual(
      [],
    )
  })

  it("never says of a text about us that an address is wrong, whatever code or other sentence stands beside it", () => {
    const ours = fc.constantFrom<string>(...aboutUs.map(([, reply]) => wordsOf(reply)).filter(isClear))
    const other = fc.constantFrom<string>("", ...[...missing, ...full, ...passing].map(([, reply]) => wordsOf(reply)))
    const code = fc.constantFrom(500, 501, 503, 521, 541, 550, 551, 552, 553, 554, 556, 571)
    // With the codes of a missing mailbox only words about the sender, or about nobody else, are about us.
    const status = fc
      .tuple(fc.nat(9), fc.nat(30))
      .map(([subject, detail]) => `5.${subject}.${detail} `)
      .filter((one) => !/^5\.1\.(1|3|6|10) /.test(one))
    const joint = fc.constantFrom(" ", ". ", "; ", ", ", " - ", ": ", " (", "\t")
    const phase = fc.constantFrom<Phase>("rcpt", "data", "final", "mail")
    fc.assert(
      fc.property(code, fc.option(status, { nil: "" }), ours, other, joint, fc.boolean(), phase, (...given) => {
        const [digits, enhanced, us, rest, between, first, at] = given
        const text = first ? us + between + rest : rest + between + us
        const { decision } = refused(`${digits} ${enhanced}${text}`, at)
        expect(decision.suppress, text).toBe(false)
        expect(decision.bounceType, text).not.toBe("soft")
      }),
      { numRuns: 1_500 },
    )
  })

  it("never suppresses by a text of a full mailbox, with any status code and any other sentence", () => {
    const texts = (rows: Row[]) => fc.constantFrom<string>(...rows.map(([, reply]) => wordsOf(reply)))
    const status = fc.constantFrom("", "5.1.1 ", "5.1.3 ", "5.1.6 ", "5.1.10 ", "5.2.1 ", "5.2.2 ", "5.4.1 ", "5.7.1 ")
    fc.assert(
      fc.property(status, texts(full), texts([...missing, ...aboutUs]), fc.boolean(), (enhanced, own, other, first) => {
        const text = first ? `${own}. ${other}` : `${other}. ${own}`
        expect(refused(`550 ${enhanced}${text}`).decision.suppress, text).toBe(false)
      }),
      { numRuns: 1_500 },
    )
  })

  it("believes no status code of a missing mailbox where the text is about the sender, a failed check or our account", () => {
    const ours = aboutUs
      .map(([, reply]) => wordsOf(reply))
      .filter((one) => /sender|verif|call(out|back)|your account|relay/i.test(one))
    expect(ours.length).toBeGreaterThan(25)
    for (const text of ours)
      for (const status of ["5.1.1", "5.1.3", "5.1.6", "5.1.10"])
        expect(refused(`550 ${status} ${text}`).decision.suppress, text).toBe(false)
  })

  it("counts no server that is busy, limits us or distrusts us for three days against the recipient", () => {
    const temporary = (reply: string) => countsAgainstRecipient(refused(reply).attempt)
    for (const reply of [
      "421 4.7.0 [192.0.2.4 15] Our system has detected an unusual rate of unsolicited mail originating from your IP address",
      "451 4.7.650 The mail server [192.0.2.4] has been temporarily rate limited due to IP reputation",
      "450 4.1.8 <b@x.test>: Sender address rejected: Domain not found",
      "451 Temporary local problem: could not complete sender verify callout",
      "421 4.7.0 [TSS04] Messages from 192.0.2.4 temporarily deferred due to unexpected volume or user complaints",
      "450 4.7.1 Client host rejected: cannot find your reverse hostname",
      "454 4.7.0 TLS not available",
      "452 4.2.2 Submission quota exceeded",
    ])
      expect(temporary(reply), reply).toBe(false)
    for (const reply of [
      "451 4.7.1 greylisted",
      "452 4.2.2 mailbox is full",
      "452 4.2.2 <ada@lovelace.example> Quota exceeded (mailbox for user is full)",
      "450 4.2.0 mailbox busy",
    ])
      expect(temporary(reply), reply).toBe(true)
  })
})

function wordsOf(reply: string): string {
  return reply.replace(/^\d{3} (?:\d\.\d+\.\d+ )?/, "")
}

/** Some replies say by their code alone that they are about us. */
function isClear(text: string): boolean {
  return ![
    "Access denied",
    "Command rejected",
    "<ada@lovelace.example>: Recipient address rejected: Access denied",
  ].includes(text)
}
