import { CodeTabs } from "@/components/docs/code-tabs"
import { languageName } from "@/components/docs/choices"
import { Highlighted } from "@/components/docs/highlighted"
import { CodeBlock } from "@/components/ui/code-block"
import type { Sample } from "@/lib/docs/markdown"

type SamplesProps = { samples: readonly Sample[]; language: string | undefined; className?: string }

/** A sample, with a tab for each language if there are several. */
export function Samples({ samples, language, className }: SamplesProps) {
  const [only] = samples
  if (only && samples.length === 1) return <OneSample sample={only} className={className} />
  return (
    <div className={`rounded-md border border-line bg-panel ${className ?? ""}`}>
      <CodeTabs
        language={language}
        samples={samples.map((sample) => ({ lang: sample.lang, shown: <OneSample sample={sample} bare /> }))}
      />
    </div>
  )
}

type OneSampleProps = { sample: Sample; bare?: boolean; className?: string }

function OneSample({ sample: { lang, code }, bare, className }: OneSampleProps) {
  const name = lang ? `${languageName(lang)} sample` : "sample"
  return (
    <CodeBlock code={code} name={name} wrap={false} bare={bare} className={className}>
      <Highlighted code={code} lang={lang} />
    </CodeBlock>
  )
}
