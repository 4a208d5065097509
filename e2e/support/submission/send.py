"""Sends emails with smtplib. Reads {port, tls, certificate, key, emails} from stdin, each email with the fields of POST /v1/emails;
writes the reply to each."""

import base64
import json
import smtplib
import ssl
import sys
from email.message import EmailMessage
from email.policy import SMTP

HEADERS = {
    "topicId": ("X-Mailroom-Topic", str),
    "sendTimeCategory": ("X-Mailroom-Category", str),
    "tags": ("X-Mailroom-Tags", json.dumps),
    "metadata": ("X-Mailroom-Metadata", json.dumps),
    "scheduledAt": ("X-Mailroom-Scheduled-At", str),
    "deliveryWindow": ("X-Mailroom-Delivery-Window", json.dumps),
    "idempotencyKey": ("X-Mailroom-Idempotency-Key", str),
    "trackingSettings": ("X-Mailroom-Tracking", json.dumps),
    "testMode": ("X-Mailroom-Test-Mode", json.dumps),
    "tls": ("X-Mailroom-Tls", str),
    "giveUpAfterSeconds": ("X-Mailroom-Give-Up-After-Seconds", str),
}


def message_of(email):
    message = EmailMessage(policy=SMTP)
    message["From"] = email["from"]
    message["To"] = ", ".join(email["to"])
    if "cc" in email:
        message["Cc"] = ", ".join(email["cc"])
    message["Subject"] = email["subject"]
    if "replyTo" in email:
        message["Reply-To"] = email["replyTo"]
    for name, value in email.get("headers", {}).items():
        message[name] = value
    for field, (name, text_of) in HEADERS.items():
        if field in email:
            message[name] = text_of(email[field])
    if "text" in email:
        message.set_content(email["text"])
    if "html" in email and "text" in email:
        message.add_alternative(email["html"], subtype="html")
    elif "html" in email:
        message.set_content(email["html"], subtype="html")
    for file in email.get("attachments", []):
        maintype, subtype = file["contentType"].split("/")
        named = {"cid": f"<{file['contentId']}>"} if "contentId" in file else {}
        message.add_attachment(
            base64.b64decode(file["content"]),
            maintype=maintype,
            subtype=subtype,
            filename=file["filename"],
            disposition=file.get("disposition", "attachment"),
            **named,
        )
    return message


def bare(address):
    return address.split("<")[-1].rstrip(">")


def open_session(job, context):
    if job["tls"] == "implicit":
        return smtplib.SMTP_SSL("localhost", job["port"], context=context, timeout=60)
    session = smtplib.SMTP("localhost", job["port"], timeout=60)
    session.starttls(context=context)
    return session


job = json.load(sys.stdin)
context = ssl.create_default_context(cafile=job["certificate"])
replies = []
with open_session(job, context) as session:
    session.login("apikey", job["key"])
    for email in job["emails"]:
        recipients = [bare(one) for kind in ("to", "cc", "bcc") for one in email.get(kind, [])]
        session.mail("app@client.example")
        for one in recipients:
            session.rcpt(one)
        code, text = session.data(message_of(email).as_bytes())
        replies.append(f"{code} {text.decode()}")
json.dump(replies, sys.stdout)
