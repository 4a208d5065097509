"use client"

import { lazy, Suspense, useState } from "react"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/loading"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text"
import { verifyWords } from "@/components/webhooks/states"

const loadForm = () => import("@/components/webhooks/verify-form")
const VerifyForm = lazy(loadForm)

/** The code that checks a request, and a place to check one by hand. */
export function VerifyCard() {
  const [language, setLanguage] = useAddressParam("code")
  const [open, setOpen] = useState(false)
  const chosen = languages.find(({ value }) => value === language)?.value ?? "typescript"
  return (
    <Card aria-label="Verify signatures" className="flex flex-col">
      <CardHeader title="Verify signatures" description={verifyWords} />
      <Tabs label="Language" tabs={languages} value={chosen} onValueChange={setLanguage} className="flex-1">
        {languages.map(({ value, label }) => (
          <TabPanel key={value} value={value}>
            <CodeBlock bare wrap={false} code={codeSamples[value]} name={`${label} code`} className="text-text" />
          </TabPanel>
        ))}
      </Tabs>
      <CardFooter>
        <span className="text-muted">
          Libraries for these and more languages:{" "}
          <TextLink href="https://www.standardwebhooks.com">Standard Webhooks</TextLink>
        </span>
        <Dialog
          trigger={
            <Button onPointerEnter={() => void loadForm()} onFocus={() => void loadForm()}>
              Check a request
            </Button>
          }
          open={open}
          onOpenChange={setOpen}
          size="large"
          title="Check a request"
          description="Checks whether a request was signed with a secret, or which part of it differs. Nothing leaves your browser."
        >
          <Suspense fallback={<Skeleton className="h-100" />}>
            <VerifyForm />
          </Suspense>
        </Dialog>
      </CardFooter>
    </Card>
  )
}

export type Language = "typescript" | "python" | "go" | "php"

const languages: { value: Language; label: string }[] = [
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
  { value: "go", label: "Go" },
  { value: "php", label: "PHP" },
]

/** A function that verifies a request, with nothing but what the language brings. */
export const codeSamples: Record<Language, string> = {
  typescript: `import { createHmac, timingSafeEqual } from "node:crypto"

type Headers = Record<string, string | undefined>

// body: the request as it came, before any JSON parsing
export function verify(body: string, headers: Headers, secret: string): boolean {
  const id = headers["webhook-id"]
  const sent = headers["webhook-timestamp"]
  const signatures = headers["webhook-signature"]
  if (!id || !sent || !signatures) return false
  const age = Math.abs(Date.now() / 1000 - Number(sent))
  if (!(age <= 300)) return false // too old: replayed
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const mac = createHmac("sha256", key).update(\`\${id}.\${sent}.\${body}\`)
  const expected = Buffer.from("v1," + mac.digest("base64"))
  return signatures.split(" ").some((one) => {
    const given = Buffer.from(one)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`,
  python: `import base64, hashlib, hmac, time

# body: the bytes of the request as they came, before any JSON parsing
def verify(body: bytes, headers, secret: str) -> bool:
    headers = {name.lower(): value for name, value in headers.items()}
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdecimal() or abs(time.time() - int(sent)) > 300:
        return False  # too old: replayed
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{sent}.".encode() + body
    mac = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(one.encode(), expected) for one in given)
`,
  go: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify takes the bytes of the request as they came, before any JSON parsing.
func Verify(body []byte, header http.Header, secret string) bool {
	sent := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(seconds, 0)).Seconds()) > 300 {
		return false // too old: replayed
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + sent + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(expected)) {
			return true
		}
	}
	return false
}
`,
  php: `<?php

// $body: file_get_contents("php://input"), before any JSON parsing
// $headers: getallheaders()
function verify(string $body, array $headers, string $secret): bool
{
    $headers = array_change_key_case($headers);
    $sent = $headers["webhook-timestamp"] ?? "";
    if (!ctype_digit($sent) || abs(time() - (int) $sent) > 300) {
        return false; // too old: replayed
    }
    $key = base64_decode(preg_replace("/^whsec_/", "", $secret));
    $signed = ($headers["webhook-id"] ?? "") . "." . $sent . "." . $body;
    $mac = hash_hmac("sha256", $signed, $key, true);
    $expected = "v1," . base64_encode($mac);
    foreach (explode(" ", $headers["webhook-signature"] ?? "") as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}
`,
}
