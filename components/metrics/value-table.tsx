import { longText, series, type Bar } from "@/components/metrics/chart"

/** The values of the bars, for screen readers. */
export function ValueTable({ bars, granularity }: { bars: Bar[]; granularity: string }) {
  return (
    <div className="sr-only">
      <table>
        <caption>Emails by {granularity}, in UTC</caption>
        <thead>
          <tr>
            <th scope="col">{granularity === "hour" ? "Hour" : "Day"}</th>
            <th scope="col">Sent</th>
            {series.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.at}>
              <th scope="row">{longText(bar.at, granularity)}</th>
              <td>{bar.sent}</td>
              {series.map(({ name }) => (
                <td key={name}>{bar.parts[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
