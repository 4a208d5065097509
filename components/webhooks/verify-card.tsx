"use client"

import { lazy, Suspense, useState } from "react"
import { useAddressParam } from "@/components/layout/use-address-param"
import { Button } from "@/components/ui/button"
import { Card, CardFooter, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text-link"
import { verifyWords } from "@/components/webhooks/states"
import { codeSamples, languages } from "@/components/webhooks/code-samples"

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
