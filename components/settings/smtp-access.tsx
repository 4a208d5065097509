import { smtpSamples } from "@/components/settings/smtp-samples"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyText } from "@/components/ui/copy-text"
import { KeyValues } from "@/components/ui/key-values"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { TextLink } from "@/components/ui/text-link"

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
